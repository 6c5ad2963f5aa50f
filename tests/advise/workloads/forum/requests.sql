-- The pages of the forum (hand-written PHP, of 2009 and later), its cron jobs, and how often each is asked for. make_workloads.py
-- fills the names in braces.

-- piece: visitor
SELECT user_id, username, group_id, user_options FROM ff_users WHERE user_id = {user};
UPDATE ff_user_stats SET user_lastvisit = {unix}, user_lastpage = 'viewtopic' WHERE user_id = {user};

-- page: topic, weight: 300
SELECT t.*, f.forum_name, f.parent_id FROM ff_topics t, ff_forums f WHERE t.topic_id = {topic} AND f.forum_id = t.forum_id;
SELECT post_id FROM ff_posts WHERE topic_id = {topic} AND post_visibility = 1 ORDER BY post_time ASC, post_id ASC LIMIT 20;
SELECT u.user_id, u.username, u.user_avatar, u.user_sig, u.group_id, p.* FROM ff_posts p, ff_users u WHERE p.topic_id = {topic} AND p.post_id IN ({posts:9}) AND u.user_id = p.poster_id;
SELECT * FROM ff_attachments WHERE topic_id = {topic} ORDER BY filetime DESC, post_msg_id ASC;
SELECT post_id, COUNT(*) AS likes FROM ff_post_likes WHERE topic_id = {topic} GROUP BY post_id;
UPDATE ff_topics SET topic_views = topic_views + 1 WHERE topic_id = {topic};

-- page: topic of a member, weight: 120
@visitor;
SELECT t.*, f.forum_name, tt.mark_time, tw.notify_status, bm.topic_id AS bookmarked FROM (ff_topics t, ff_forums f) LEFT JOIN ff_topics_track tt ON (tt.user_id = {user} AND t.topic_id = tt.topic_id) LEFT JOIN ff_topics_watch tw ON (tw.user_id = {user} AND t.topic_id = tw.topic_id) LEFT JOIN ff_bookmarks bm ON (bm.user_id = {user} AND t.topic_id = bm.topic_id) WHERE t.topic_id = {topic} AND f.forum_id = t.forum_id;
SELECT post_id FROM ff_posts WHERE topic_id = {topic} AND post_visibility = 1 ORDER BY post_time ASC, post_id ASC LIMIT 20, 20;
SELECT u.user_id, u.username, u.user_avatar, u.user_sig, u.group_id, p.* FROM ff_posts p, ff_users u WHERE p.topic_id = {topic} AND p.post_id IN ({posts:9}) AND u.user_id = p.poster_id;
SELECT * FROM ff_attachments WHERE topic_id = {topic} ORDER BY filetime DESC, post_msg_id ASC;
SELECT post_id FROM ff_post_likes WHERE topic_id = {topic} AND user_id = {user};
INSERT INTO ff_topics_track (user_id, topic_id, forum_id, mark_time) VALUES ({user}, {topic}, {board}, {unix}) ON DUPLICATE KEY UPDATE mark_time = VALUES(mark_time);
UPDATE ff_topics SET topic_views = topic_views + 1 WHERE topic_id = {topic};

-- page: related topics, weight: 90
SELECT t.topic_id, t.topic_title, t.topic_posts FROM ff_related_topics r INNER JOIN ff_topics t ON t.topic_id = r.related_id WHERE r.topic_id = {topic} ORDER BY r.score DESC LIMIT 5;
SELECT tag FROM ff_topic_tags WHERE topic_id = {topic};

-- page: new posts of a topic (polling), weight: 80
SELECT COUNT(post_id) AS num_posts, MAX(post_id) AS last_id FROM ff_posts WHERE topic_id = {topic} AND post_time > {unix};

-- page: topic with a poll, weight: 12
SELECT o.*, p.topic_id AS voted FROM ff_poll_options o LEFT JOIN ff_poll_votes p ON (p.topic_id = o.topic_id AND p.poll_option_id = o.poll_option_id AND p.vote_user_id = {user}) WHERE o.topic_id = {topic} ORDER BY o.poll_option_id;
SELECT poll_option_id FROM ff_poll_votes WHERE topic_id = {topic} AND vote_user_id = {user};

-- page: vote, weight: 3
START TRANSACTION;
UPDATE ff_poll_options SET poll_option_total = poll_option_total + 1 WHERE poll_option_id = 2 AND topic_id = {topic};
INSERT INTO ff_poll_votes (topic_id, poll_option_id, vote_user_id) VALUES ({topic}, 2, {user});
COMMIT;

-- page: reply, weight: 30
SELECT f.*, t.* FROM ff_topics t, ff_forums f WHERE t.topic_id = {topic} AND f.forum_id = t.forum_id;
SELECT auth_post FROM ff_group_permissions WHERE group_id = {int:1:8} AND forum_id = {board};
START TRANSACTION;
INSERT INTO ff_posts (topic_id, forum_id, poster_id, reply_to, poster_ip, post_time, post_visibility, post_subject, post_text) VALUES ({topic}, {board}, {user}, {post}, '10.1.{int:1:250}.{int:1:250}', {unix}, 1, 'Re: Topic {topic}', 'I don''t think so; see above.');
UPDATE ff_topics SET topic_posts = topic_posts + 1, topic_last_post_id = {new:ff_posts}, topic_last_poster_name = 'User{user}', topic_last_post_time = {unix} WHERE topic_id = {topic};
UPDATE ff_forums SET forum_posts = forum_posts + 1, forum_last_post_id = {new:ff_posts}, forum_last_post_time = {unix}, forum_last_poster_name = 'User{user}' WHERE forum_id = {board};
UPDATE ff_user_stats SET user_posts = user_posts + 1 WHERE user_id = {user};
COMMIT;
SELECT u.user_id, u.username, u.user_email FROM ff_topics_watch w, ff_users u WHERE w.topic_id = {topic} AND w.user_id NOT IN (1, {user}) AND w.notify_status = 0 AND u.user_id = w.user_id;
UPDATE ff_topics_watch SET notify_status = 1 WHERE topic_id = {topic} AND user_id IN ({users:3});
DELETE FROM ff_drafts WHERE user_id = {user} AND topic_id = {topic};

-- page: new topic, weight: 6
START TRANSACTION;
INSERT INTO ff_topics (forum_id, topic_title, topic_slug, topic_poster, topic_time, topic_last_poster_name, topic_last_post_time) VALUES ({board}, 'How do I mend a tent?', 'how-do-i-mend-a-tent-{hex:6}', {user}, {unix}, 'User{user}', {unix});
INSERT INTO ff_posts (topic_id, forum_id, poster_id, poster_ip, post_time, post_visibility, post_subject, post_text) VALUES ({new:ff_topics}, {board}, {user}, '10.1.2.3', {unix}, 1, 'How do I mend a tent?', 'It has a hole.');
INSERT INTO ff_topic_tags (topic_id, tag) VALUES ({new:ff_topics}, 'camping'), ({new:ff_topics}, 'Help');
UPDATE ff_forums SET forum_topics = forum_topics + 1, forum_posts = forum_posts + 1, forum_last_post_id = {new:ff_posts} WHERE forum_id = {board};
UPDATE ff_user_stats SET user_posts = user_posts + 1 WHERE user_id = {user};
COMMIT;
INSERT IGNORE INTO ff_topics_watch (topic_id, user_id, notify_status) VALUES ({new:ff_topics}, {user}, 0);

-- page: post by its number, weight: 70
SELECT topic_id, forum_id, post_time FROM ff_posts WHERE post_id = {post};
SELECT COUNT(*) AS prev_posts FROM ff_posts WHERE topic_id = {topic} AND post_visibility = 1 AND post_time <= {unix};

-- page: quote, weight: 12
SELECT p.post_text, p.post_subject, u.username FROM ff_posts p LEFT JOIN ff_users u ON u.user_id = p.poster_id WHERE p.post_id = {post};

-- page: edit, weight: 7
SELECT p.*, t.topic_title, t.topic_status FROM ff_posts p, ff_topics t WHERE p.post_id = {post} AND t.topic_id = p.topic_id;
INSERT INTO ff_post_edits (pid, editor_id, edit_time, old_text) VALUES ({post}, {user}, {unix}, 'Text before');
UPDATE ff_posts SET post_text = 'Text after', post_edit_time = {unix} WHERE post_id = {post};

-- page: edits of a post, weight: 2
SELECT e.edit_time, e.old_text, u.username FROM ff_post_edits e, ff_users u WHERE e.pid = {post} AND u.user_id = e.editor_id ORDER BY e.edit_time DESC;

-- page: like, weight: 14
INSERT IGNORE INTO ff_post_likes (post_id, topic_id, user_id, like_time) VALUES ({post}, {topic}, {user}, {unix});
UPDATE ff_posts SET post_likes = post_likes + 1 WHERE post_id = {post} AND topic_id = {topic};
UPDATE ff_user_stats SET user_likes = user_likes + 1 WHERE user_id = {user2};

-- page: unlike, weight: 2
DELETE FROM ff_post_likes WHERE post_id = {post} AND topic_id = {topic} AND user_id = {user};

-- page: who likes it, weight: 3
SELECT u.user_id, u.username, l.like_time FROM ff_post_likes l JOIN ff_users u USING (user_id) WHERE l.post_id = {post} ORDER BY l.like_time;

-- page: board, weight: 45
SELECT f.* FROM ff_forums f WHERE f.forum_id = {board};
SELECT COUNT(topic_id) AS num_topics FROM ff_topics WHERE forum_id = {board};
SELECT t.* FROM ff_topics t WHERE t.forum_id = {board} AND t.topic_type = 0 ORDER BY t.topic_last_post_time DESC LIMIT 25;
SELECT t.* FROM ff_topics t WHERE t.forum_id = {board} AND t.topic_type IN (1, 2) ORDER BY t.topic_time DESC;

-- page: board of a member, weight: 12
@visitor;
SELECT t.*, tt.mark_time FROM ff_topics t LEFT JOIN ff_topics_track tt ON (tt.topic_id = t.topic_id AND tt.user_id = {user}) WHERE t.forum_id = {board} ORDER BY t.topic_type DESC, t.topic_last_post_time DESC LIMIT 25;

-- page: board, further pages, weight: 6
SELECT topic_id FROM ff_topics WHERE forum_id = {board} ORDER BY topic_last_post_time DESC LIMIT 50, 25;
SELECT * FROM ff_topics WHERE topic_id IN ({topics:8});

-- page: index, weight: 35
SELECT f.* FROM ff_forums f ORDER BY f.left_id;
SELECT config_name, config_value FROM ff_config;
SELECT group_id, group_name, group_colour FROM ff_groups ORDER BY group_name ASC;
SELECT forum_id, auth_read, auth_post FROM ff_group_permissions WHERE group_id = {int:1:8};

-- page: index of a member, weight: 20
@visitor;
SELECT f.*, ft.last_mark FROM ff_forums f LEFT JOIN (SELECT forum_id, MAX(mark_time) AS last_mark FROM ff_topics_track WHERE user_id = {user} GROUP BY forum_id) ft ON ft.forum_id = f.forum_id ORDER BY f.left_id;
SELECT COUNT(msg_id) AS unread FROM ff_privmsgs_to WHERE user_id = {user} AND pm_unread = 1;
SELECT COUNT(*) AS online FROM ff_user_stats WHERE user_lastvisit > {unix};

-- page: smilies, weight: 8
SELECT * FROM ff_smilies ORDER BY smiley_order LIMIT 30;

-- page: newest topics, weight: 10
SELECT t.topic_id, t.topic_title, t.topic_last_post_time FROM ff_topics t ORDER BY t.topic_last_post_time DESC LIMIT 10;

-- page: feed, weight: 9
SELECT p.post_id, p.topic_id, p.post_time, p.post_text, t.topic_title, u.username FROM ff_posts p, ff_topics t, ff_users u WHERE p.post_visibility = 1 AND t.topic_id = p.topic_id AND u.user_id = p.poster_id ORDER BY p.post_id DESC LIMIT 15;

-- page: topic by its slug, weight: 30
SELECT topic_id FROM ff_topics WHERE topic_slug = 'topic-{topic}';

-- page: topics of a tag, weight: 5
SELECT t.topic_id, t.topic_title FROM ff_topic_tags g INNER JOIN ff_topics t ON t.topic_id = g.topic_id WHERE g.tag = '{pick:linux|mysql|HELP|Camping}' ORDER BY t.topic_last_post_time DESC LIMIT 30;
SELECT tag, COUNT(*) AS used FROM ff_topic_tags GROUP BY tag ORDER BY used DESC LIMIT 40;

-- page: search, weight: 5
SELECT post_id FROM ff_posts WHERE MATCH (post_text) AGAINST ('+post +{int:1:50000}' IN BOOLEAN MODE) AND post_visibility = 1 ORDER BY post_time DESC LIMIT 100;
SELECT DISTINCT topic_id FROM ff_posts WHERE MATCH (post_text) AGAINST ('text') AND forum_id NOT IN (4, 9) LIMIT 100;
SELECT p.*, t.topic_title, f.forum_name FROM ff_posts p LEFT JOIN ff_topics t ON (p.topic_id = t.topic_id) LEFT JOIN ff_forums f ON (t.forum_id = f.forum_id) WHERE p.post_id IN ({posts:8}) ORDER BY p.post_time DESC;

-- page: search in titles, weight: 2
SELECT topic_id, topic_title FROM ff_topics WHERE topic_title LIKE '%{int:1:4000}%' LIMIT 50;

-- page: profile, weight: 9
SELECT u.*, s.user_posts, s.user_likes, s.user_lastvisit FROM ff_users u LEFT JOIN ff_user_stats s ON s.user_id = u.user_id WHERE u.user_id = {user2};
SELECT COUNT(*) AS posts FROM ff_posts WHERE poster_id = {user2} AND post_visibility = 1;
SELECT forum_id, COUNT(post_id) AS num_posts FROM ff_posts WHERE poster_id = {user2} GROUP BY forum_id ORDER BY num_posts DESC LIMIT 1;

-- page: posts of a member, weight: 5
SELECT p.post_id, p.post_time, t.topic_title FROM ff_posts p INNER JOIN ff_topics t ON t.topic_id = p.topic_id WHERE p.poster_id = {user2} ORDER BY p.post_time DESC LIMIT 25;

-- page: topics of a member, weight: 3
SELECT * FROM ff_topics WHERE topic_poster = {user2} ORDER BY topic_time DESC LIMIT 25;

-- page: member by name, weight: 3
SELECT user_id, username FROM ff_users WHERE username_clean = 'user{user2}';

-- page: members, weight: 2
SELECT COUNT(user_id) AS total_users FROM ff_users WHERE group_id <> 6;
SELECT u.user_id, u.username, s.user_posts FROM ff_users u, ff_user_stats s WHERE s.user_id = u.user_id ORDER BY s.user_posts DESC LIMIT 0, 25;

-- page: log in, weight: 7
SELECT * FROM ff_users WHERE username_clean = 'user{user}';
SELECT ban_end, ban_reason FROM ff_banlist WHERE ban_userid = {user} OR ban_ip <> '';
UPDATE ff_users SET user_password = '$2y$10$y' WHERE user_id = {user};

-- page: register, weight: 1
SELECT user_id FROM ff_users WHERE user_email = 'new{int:1:9999}@example.net' LIMIT 1;
INSERT INTO ff_users (group_id, username, username_clean, user_email, user_password, user_regdate) VALUES (2, 'New{hex:5}', 'new{hex:9}', 'new@example.net', '$2y$10$z', {unix});
INSERT INTO ff_user_stats (user_id, user_posts, user_likes, user_lastvisit, user_lastpage) VALUES ({new:ff_users}, 0, 0, {unix}, 'ucp');

-- page: options, weight: 1
UPDATE ff_users SET user_options = '{"style": 2}', user_sig = 'Bye!', user_avatar = 'a.png' WHERE user_id = {user};

-- page: watched topics, weight: 4
SELECT t.topic_id, t.topic_title, t.topic_last_post_time FROM ff_topics_watch w, ff_topics t WHERE w.user_id = {user} AND t.topic_id = w.topic_id ORDER BY t.topic_last_post_time DESC;
SELECT COUNT(*) AS watched FROM ff_topics_watch WHERE user_id = {user};

-- page: watch, weight: 4
INSERT INTO ff_topics_watch (topic_id, user_id, notify_status) VALUES ({topic}, {user}, 0);
DELETE FROM ff_topics_watch WHERE topic_id = {topic2} AND user_id = {user};

-- page: bookmark, weight: 3
REPLACE INTO ff_bookmarks (topic_id, user_id) VALUES ({topic}, {user});
DELETE FROM ff_bookmarks WHERE topic_id = {topic2} AND user_id = {user};

-- page: bookmarks, weight: 2
SELECT t.* FROM ff_bookmarks b LEFT JOIN ff_topics t ON b.topic_id = t.topic_id WHERE b.user_id = {user} ORDER BY t.topic_last_post_time DESC;

-- page: draft is kept, weight: 4
SELECT draft_id FROM ff_drafts WHERE user_id = {user} AND topic_id = {topic} LIMIT 1;
INSERT INTO ff_drafts (user_id, topic_id, forum_id, save_time, draft_message) VALUES ({user}, {topic}, {board}, {unix}, 'Well, I');
INSERT INTO ff_drafts (user_id, topic_id, forum_id, save_time, draft_message) VALUES ({user}, NULL, {board}, {unix}, 'A new topic');

-- page: drafts, weight: 1
SELECT d.*, f.forum_name FROM ff_drafts d LEFT JOIN ff_forums f USING (forum_id) WHERE d.user_id = {user} ORDER BY d.save_time DESC;

-- page: upload, weight: 4
INSERT INTO ff_attachments (post_msg_id, topic_id, poster_id, physical_filename, real_filename, filesize, filetime) VALUES (0, NULL, {user}, '{hex:32}', 'tent.jpg', {int:2000:90000}, {unix});
UPDATE ff_attachments SET post_msg_id = {post}, topic_id = {topic} WHERE attach_id = {attachment} AND poster_id = {user};

-- page: download, weight: 25
SELECT attach_id, physical_filename, real_filename, filesize FROM ff_attachments WHERE attach_id = {attachment};
INSERT INTO ff_attach_downloads (attach_id, day, hits) VALUES ({attachment}, '2026-03-14', 1) ON DUPLICATE KEY UPDATE hits = hits + 1;

-- page: downloads (admin), weight: 1
SELECT a.real_filename, SUM(d.hits) AS hits FROM ff_attachments a INNER JOIN ff_attach_downloads d ON d.attach_id = a.attach_id GROUP BY a.attach_id, a.real_filename ORDER BY hits DESC LIMIT 20;
SELECT SUM(filesize) AS total FROM ff_attachments;

-- page: message box, weight: 5
SELECT p.msg_id, p.message_subject, p.message_time, t.pm_unread, u.username FROM ff_privmsgs_to t, ff_privmsgs p, ff_users u WHERE t.user_id = {user} AND t.folder_id = 0 AND p.msg_id = t.msg_id AND u.user_id = p.author_id ORDER BY p.message_time DESC LIMIT 25;

-- page: sent messages, weight: 1
SELECT p.msg_id, p.message_subject FROM ff_privmsgs p WHERE p.author_id = {user} ORDER BY p.message_time DESC LIMIT 25;

-- page: message, weight: 4
SELECT p.*, u.username FROM ff_privmsgs p, ff_users u WHERE p.msg_id = {int:1:3000} AND u.user_id = p.author_id;
UPDATE ff_privmsgs_to SET pm_unread = 0 WHERE msg_id = {int:1:3000} AND user_id = {user};

-- page: message is sent, weight: 2
START TRANSACTION;
INSERT INTO ff_privmsgs (author_id, message_time, message_subject, message_text) VALUES ({user}, {unix}, 'Your tent', 'Is it still for sale?');
INSERT INTO ff_privmsgs_to (msg_id, user_id, author_id, pm_unread, folder_id) VALUES ({new:ff_privmsgs}, {user2}, {user}, 1, 0), ({new:ff_privmsgs}, {user}, {user}, 0, -1);
COMMIT;

-- page: message is deleted, weight: 1
DELETE FROM ff_privmsgs_to WHERE msg_id = {int:1:3000} AND user_id = {user} AND folder_id = 0;

-- page: report, weight: 1
INSERT INTO ff_reports (post_id, user_id, report_closed, report_time, report_text) VALUES ({post}, {user}, 0, {unix}, 'It is an advertisement');

-- page: reports (moderator), weight: 2
SELECT r.*, p.post_subject, p.topic_id, u.username FROM ff_reports r LEFT JOIN ff_posts p ON p.post_id = r.post_id LEFT JOIN ff_users u ON u.user_id = r.user_id WHERE r.report_closed = 0 ORDER BY r.report_time DESC LIMIT 25;
UPDATE ff_reports SET report_closed = 1 WHERE report_id IN ({int:1:300}, {int:1:300});

-- page: topics are merged (moderator), weight: 2
START TRANSACTION;
SELECT * FROM ff_topics WHERE topic_id IN ({topic}, {topic2}) FOR UPDATE;
UPDATE ff_posts SET topic_id = {topic2}, forum_id = {board} WHERE topic_id = {topic};
UPDATE ff_post_likes SET topic_id = {topic2} WHERE topic_id = {topic};
UPDATE ff_attachments SET topic_id = {topic2} WHERE topic_id = {topic};
UPDATE ff_topics_watch SET topic_id = {topic2} WHERE topic_id = {topic};
DELETE FROM ff_topics WHERE topic_id = {topic};
UPDATE ff_topics SET topic_posts = (SELECT COUNT(*) FROM ff_posts WHERE topic_id = {topic2}) WHERE topic_id = {topic2};
INSERT INTO ff_log (user_id, topic_id, log_time, log_operation, log_data) VALUES (2, {topic2}, {unix}, 'LOG_MERGE', 'a:1:{i:0;s:4:"tent";}');
COMMIT;

-- page: a topic is split (moderator), weight: 2
START TRANSACTION;
INSERT INTO ff_topics (forum_id, topic_title, topic_slug, topic_poster, topic_time) VALUES ({board}, 'Split off', 'split-off-{hex:8}', {user}, {unix});
UPDATE ff_posts SET topic_id = {new:ff_topics} WHERE post_id IN ({posts:3});
UPDATE ff_topics SET topic_posts = topic_posts - 3 WHERE topic_id = {topic};
COMMIT;

-- page: a topic is moved (moderator), weight: 2
UPDATE ff_topics SET forum_id = {int:3:24} WHERE topic_id = {topic};
UPDATE ff_posts SET forum_id = {int:3:24} WHERE topic_id = {topic};
UPDATE ff_topics_track SET forum_id = {int:3:24} WHERE topic_id = {topic};
INSERT INTO ff_topics (forum_id, topic_title, topic_slug, topic_poster, topic_status, topic_moved_id) VALUES ({board}, 'Topic {topic}', 'moved-{hex:8}', {user}, 2, {topic});

-- page: a topic is locked (moderator), weight: 1
UPDATE ff_topics SET topic_status = 1 WHERE topic_id = {topic} AND topic_moved_id = 0;
UPDATE ff_topics SET topic_type = 1 WHERE topic_id IN ({topic});

-- page: a topic is deleted (moderator), weight: 1
START TRANSACTION;
DELETE FROM ff_posts WHERE topic_id = {topic};
DELETE FROM ff_topics_track WHERE topic_id = {topic};
DELETE FROM ff_topics_watch WHERE topic_id = {topic};
DELETE FROM ff_bookmarks WHERE topic_id = {topic};
DELETE FROM ff_poll_options WHERE topic_id = {topic};
DELETE FROM ff_poll_votes WHERE topic_id = {topic};
DELETE FROM ff_topic_tags WHERE topic_id = {topic};
DELETE FROM ff_topics WHERE topic_id = {topic} OR topic_moved_id = {topic};
COMMIT;

-- page: log of moderators, weight: 1
SELECT l.*, u.username, t.topic_title FROM ff_log l LEFT JOIN ff_users u ON u.user_id = l.user_id LEFT JOIN ff_topics t ON t.topic_id = l.topic_id ORDER BY l.log_time DESC LIMIT 50;

-- page: posts of an address (moderator), weight: 1
SELECT poster_ip, COUNT(*) AS postings FROM ff_posts WHERE poster_id = {user2} GROUP BY poster_ip ORDER BY postings DESC LIMIT 10;
SELECT DISTINCT poster_id FROM ff_posts WHERE poster_ip = '10.0.0.1' LIMIT 20;

-- page: a member is renamed (admin), weight: 1
UPDATE ff_users SET username = 'Renamed{user}', username_clean = 'renamed{user}' WHERE user_id = {user};
UPDATE ff_topics SET topic_last_poster_name = 'Renamed{user}' WHERE topic_last_poster_name = 'User{user}';
UPDATE ff_forums SET forum_last_poster_name = 'Renamed{user}' WHERE forum_last_poster_name = 'User{user}';

-- page: a member is banned (admin), weight: 1
INSERT INTO ff_banlist (ban_userid, ban_ip, ban_end, ban_reason) VALUES ({user}, '', 0, 'spam');
DELETE FROM ff_posts WHERE poster_id = {user} AND post_time > {unix};

-- page: boards are edited (admin), weight: 1
UPDATE ff_forums SET left_id = left_id + 2, right_id = right_id + 2 WHERE left_id > {int:1:40};
UPDATE ff_forums SET parent_id = 3 WHERE forum_id = {int:7:24};
SELECT f2.* FROM ff_forums f1, ff_forums f2 WHERE f1.parent_id = f2.forum_id AND f1.forum_id = {board};
UPDATE ff_config SET config_value = '{int:1:99}' WHERE config_name = 'setting_{int:1:80}';

-- page: statistics (cron), weight: 1
SELECT COUNT(*) AS num_posts FROM ff_posts;
SELECT COUNT(DISTINCT poster_id) AS authors FROM ff_posts WHERE post_time > {unix} - 86400;
SELECT forum_id, COUNT(*) AS posts, MAX(post_time) AS last FROM ff_posts GROUP BY forum_id;
SELECT FROM_UNIXTIME(post_time, '%Y-%m') AS month, COUNT(*) AS posts FROM ff_posts GROUP BY month ORDER BY month;
SELECT AVG(topic_posts) AS average, MAX(topic_views) AS most FROM ff_topics WHERE topic_moved_id = 0;

-- page: counts are mended (cron), weight: 1
UPDATE ff_user_stats s SET s.user_posts = (SELECT COUNT(*) FROM ff_posts p WHERE p.poster_id = s.user_id) WHERE s.user_id BETWEEN {int:1:1000} AND 1003;
UPDATE ff_topics t JOIN (SELECT topic_id, MAX(post_id) AS last_id FROM ff_posts WHERE topic_id BETWEEN {int:1:2000} AND 2009 GROUP BY topic_id) l ON l.topic_id = t.topic_id SET t.topic_last_post_id = l.last_id;

-- page: related topics are computed (cron), weight: 1
SELECT b.topic_id, COUNT(*) AS common FROM ff_topic_tags a JOIN ff_topic_tags b ON b.tag = a.tag AND b.topic_id <> a.topic_id WHERE a.topic_id = {topic} GROUP BY b.topic_id ORDER BY common DESC LIMIT 5;
DELETE FROM ff_related_topics WHERE topic_id = {topic};
INSERT INTO ff_related_topics (topic_id, related_id, score) VALUES ({topic}, {int:1:2000}, 0.71), ({topic}, {int:2001:4000}, 0.5);

-- page: orphans are deleted (cron), weight: 1
SELECT attach_id, physical_filename FROM ff_attachments WHERE topic_id IS NULL AND filetime < {unix} - 10800;
DELETE FROM ff_attachments WHERE topic_id IS NULL AND attach_id IN ({int:1:5000}, {int:1:5000});
DELETE FROM ff_topics_track WHERE mark_time < {unix} - 7776000;
DELETE r FROM ff_reports r LEFT JOIN ff_posts p ON p.post_id = r.post_id WHERE r.report_closed = 1 AND p.post_id IS NULL;
