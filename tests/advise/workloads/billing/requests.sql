-- What Hibernate (6.5, MySQL dialect) and a few native queries of the billing service execute, and how often. make_workloads.py
-- fills the names in braces; the export has digests, so that the values are only for a server that tries the statements.

-- piece: begin
set autocommit=0;
-- piece: end
commit;
set autocommit=1;
-- piece: api key
select {h:api_key:ak1_0} from api_key ak1_0 where ak1_0.key_hash='{hex:64}' and ak1_0.revoked=0;
select {h:tenant:t1_0} from tenant t1_0 where t1_0.id={tenant};

-- page: connect, weight: 1
select @@session.auto_increment_increment as auto_increment_increment, @@character_set_client as character_set_client, @@max_allowed_packet as max_allowed_packet;
set session transaction read only;
set session transaction read write;
set sql_mode='STRICT_TRANS_TABLES';

-- page: usage is reported, weight: 300
@api key;
@begin;
select m1_0.id,m1_0.name,m1_0.tenant_id,m1_0.unit from meter m1_0 where m1_0.id={id} and m1_0.tenant_id={tenant};
insert into usage_record (meter_id,quantity,recorded_at,request_id,subscription_id,tenant_id) values ({id},1.5,'{now}','{hex:32}',{id},{tenant});
insert into usage_counter (tenant_id,meter_id,day,total) values ({tenant},{id},'2026-03-14',1.5) on duplicate key update total=total+values(total);
@end;

-- page: usage is reported in a batch, weight: 80
@api key;
@begin;
insert into usage_record (meter_id,quantity,recorded_at,request_id,subscription_id,tenant_id) values ({id},1.5,'{now}','{hex:32}',{id},{tenant}),({id},2,'{now}','{hex:32}',{id},{tenant});
insert into usage_counter (tenant_id,meter_id,day,total) values ({tenant},{id},'2026-03-14',1.5),({tenant},2,'2026-03-14',2) on duplicate key update total=total+values(total);
@end;

-- page: api key is used, weight: 12
update api_key set last_used_at='{now}' where id={id};

-- page: customer (api), weight: 120
@api key;
select {h:customer:c1_0} from customer c1_0 where c1_0.id={customer} and c1_0.tenant_id={tenant};
select ca1_0.customer_id,ca1_0.id,ca1_0.city,ca1_0.kind,ca1_0.line1,ca1_0.postcode from customer_address ca1_0 where ca1_0.customer_id={customer};
select pm1_0.customer_id,pm1_0.id,pm1_0.card_brand,pm1_0.expires_on,pm1_0.is_default,pm1_0.token from payment_method pm1_0 where pm1_0.customer_id={customer};

-- page: customer by the reference of a CRM, weight: 40
@api key;
select {h:customer:c1_0} from customer c1_0 where c1_0.tenant_id={tenant} and c1_0.external_ref='crm-1';

-- page: customers (api), weight: 30
@api key;
select {h:customer:c1_0} from customer c1_0 where c1_0.tenant_id={tenant} order by c1_0.id limit 0,50;
select count(c1_0.id) from customer c1_0 where c1_0.tenant_id={tenant};

-- page: customer is made, weight: 15
@begin;
select c1_0.id from customer c1_0 where c1_0.tenant_id={tenant} and c1_0.email='a@example.org' limit 1;
insert into customer (country_code,created_at,email,external_ref,name,state,tenant_id,version) values ('DE','{now}','{hex:12}@example.org',null,'Ada','ACTIVE',{tenant},0);
insert into customer_address (city,customer_id,kind,line1,postcode) values ('Berlin',{customer},'BILLING','Street 1','10115');
insert into payment_method (card_brand,customer_id,expires_on,is_default,token) values ('visa',{customer},'2029-01-01',1,'{hex:24}');
insert into outbox_event (created_at,payload,sent_at,tenant_slug,topic) values ('{now}','{"customer": 1}',null,'tenant-7','customer.created');
insert into audit_log (action,actor,created_at,details,tenant_id) values ('CUSTOMER_CREATED','api','{now}',null,{tenant});
@end;

-- page: customer is changed, weight: 18
@begin;
select {h:customer:c1_0} from customer c1_0 where c1_0.id={customer};
update customer set country_code='DE',created_at='{now}',email='{hex:12}@example.org',external_ref='crm-2',name='Ada',state='ACTIVE',version=1 where id={customer} and version=0;
update customer_address set city='Bonn',customer_id={customer},kind='BILLING',line1='Street 2',postcode='53111' where id={id};
@end;

-- page: a customer moves to another tenant (support), weight: 1
@begin;
select {h:customer:c1_0} from customer c1_0 where c1_0.id={customer} for update;
update customer set tenant_id={tenant2},version=version+1 where id={customer} and version=0;
update subscription set tenant_id={tenant2} where customer_id={customer};
update invoice set tenant_id={tenant2} where customer_id={customer} and state='DRAFT';
update payment set tenant_id={tenant2} where customer_id={customer};
@end;

-- page: customers are found (back office), weight: 3
select {h:customer:c1_0} from customer c1_0 where c1_0.name like '%ada%' escape '!' or c1_0.email like '%ada%' escape '!' order by c1_0.name limit 0,20;
select {h:customer:c1_0} from customer c1_0 where c1_0.email='customer7@example.org';

-- page: invoices of a tenant, weight: 60
@api key;
select {h:invoice:i1_0} from invoice i1_0 where i1_0.tenant_id={tenant} and i1_0.state in ('OPEN','PAID') order by i1_0.issued_on desc,i1_0.id desc limit 0,20;
select count(i1_0.id) from invoice i1_0 where i1_0.tenant_id={tenant} and i1_0.state in ('OPEN','PAID');

-- page: invoices of a customer, weight: 35
@api key;
select {h:invoice:i1_0} from invoice i1_0 where i1_0.tenant_id={tenant} and i1_0.customer_id={customer} order by i1_0.issued_on desc limit 20;

-- page: invoice, weight: 90
@api key;
select {h:invoice:i1_0},{h:customer:c1_0} from invoice i1_0 join customer c1_0 on c1_0.id=i1_0.customer_id where i1_0.id={invoice} and i1_0.tenant_id={tenant};
select l1_0.tenant_id,l1_0.invoice_id,l1_0.line_no,l1_0.amount,l1_0.description,l1_0.quantity,l1_0.subscription_id from invoice_line l1_0 where (l1_0.tenant_id,l1_0.invoice_id)=({tenant},{invoice}) order by l1_0.line_no;
select pa1_0.tenant_id,pa1_0.payment_id,pa1_0.invoice_id,pa1_0.amount from payment_allocation pa1_0 where pa1_0.tenant_id={tenant} and pa1_0.invoice_id={invoice};
select {h:document:d1_0} from document d1_0 where d1_0.object_type='INVOICE' and d1_0.object_id={invoice};

-- page: invoice by its link in a mail, weight: 70
select {h:invoice:i1_0} from invoice i1_0 where i1_0.id={invoice};
select l1_0.tenant_id,l1_0.invoice_id,l1_0.line_no,l1_0.amount,l1_0.description,l1_0.quantity,l1_0.subscription_id from invoice_line l1_0 where l1_0.tenant_id={tenant} and l1_0.invoice_id={invoice};

-- page: invoice by its number (bank import), weight: 40
select {h:invoice:i1_0} from invoice i1_0 where i1_0.invoice_no='RE-17';

-- page: several invoices with their lines, weight: 14
select i1_0.id,i1_0.currency,i1_0.customer_id,i1_0.due_on,i1_0.invoice_no,i1_0.issued_on,l1_0.tenant_id,l1_0.invoice_id,l1_0.line_no,l1_0.amount,l1_0.description,i1_0.state,i1_0.total_amount from invoice i1_0 left join invoice_line l1_0 on i1_0.tenant_id=l1_0.tenant_id and i1_0.id=l1_0.invoice_id where i1_0.tenant_id={tenant} and i1_0.id in ({ids:10});
select l1_0.invoice_id,l1_0.line_no,l1_0.amount from invoice_line l1_0 where (l1_0.tenant_id,l1_0.invoice_id) in (({tenant},{invoice}),({tenant},2),({tenant},3));

-- page: invoice is made, weight: 45
@begin;
select is1_0.tenant_id,is1_0.prefix,is1_0.next_no from invoice_sequence is1_0 where is1_0.tenant_id={tenant} and is1_0.prefix='RE' for update;
update invoice_sequence set next_no=1001 where tenant_id={tenant} and prefix='RE';
insert into invoice (currency,customer_id,due_on,invoice_no,issued_on,paid_amount,state,tenant_id,total_amount,version) values ('EUR',{customer},'2026-04-14','RE-{hex:10}','2026-03-14',0,'OPEN',{tenant},90.5,0);
insert into invoice_line (amount,description,quantity,subscription_id,invoice_id,line_no,tenant_id) values (45,'Plan',1,{id},{new:invoice},1,{tenant}),(45.5,'Usage',17,{id},{new:invoice},2,{tenant});
select la1_0.id,la1_0.balance,la1_0.code,la1_0.tenant_id,la1_0.version from ledger_account la1_0 where la1_0.tenant_id={tenant} and la1_0.code='101';
insert into ledger_entry (account_id,amount,booked_at,invoice_id,tenant_id) values ({id},90.5,'{now}',{new:invoice},{tenant}),(2,-90.5,'{now}',{new:invoice},{tenant});
update ledger_account set balance=190.5,code='101',tenant_id={tenant},version=1 where id={id} and version=0;
insert into outbox_event (created_at,payload,sent_at,tenant_slug,topic) values ('{now}','{"invoice": 1}',null,'tenant-7','invoice.created');
@end;
insert into document (checksum,created_at,object_id,object_type,storage_path) values ('{hex:64}','{now}',{new:invoice},'INVOICE','invoices/1.pdf');

-- page: draft is changed, weight: 6
@begin;
select {h:invoice:i1_0} from invoice i1_0 where i1_0.tenant_id={tenant} and i1_0.id={invoice} for update;
delete from invoice_line where tenant_id={tenant} and invoice_id={invoice} and line_no=2;
update invoice_line set amount=46,description='Plan',quantity=1,subscription_id={id} where invoice_id={invoice} and line_no=1 and tenant_id={tenant};
update invoice set currency='EUR',customer_id={customer},due_on='2026-04-14',invoice_no=null,issued_on=null,paid_amount=0,state='DRAFT',total_amount=46,version=1 where id={invoice} and version=0;
@end;

-- page: invoice is void, weight: 2
@begin;
update invoice set state='VOID',version=version+1 where tenant_id={tenant} and id={invoice} and state<>'PAID';
insert into credit_note (amount,created_at,credit_note_no,invoice_id,tenant_id) values (90.5,'{now}','GS-{hex:9}',{invoice},{tenant});
@end;

-- page: credit notes, weight: 3
select {h:credit_note:cn1_0} from credit_note cn1_0 where cn1_0.tenant_id={tenant} order by cn1_0.created_at desc limit 0,20;
select {h:credit_note:cn1_0} from credit_note cn1_0 where cn1_0.credit_note_no='GS-7';

-- page: payment provider's message, weight: 50
select {h:payment:p1_0} from payment p1_0 where p1_0.provider_ref='ch_7';
@begin;
select {h:payment:p1_0} from payment p1_0 where p1_0.id={id} for update;
update payment set amount=90.5,customer_id={customer},provider_ref='ch_{hex:12}',received_at='{now}',state='SETTLED',version=1 where id={id} and version=0;
select {h:invoice:i1_0} from invoice i1_0 where i1_0.tenant_id={tenant} and i1_0.customer_id={customer} and i1_0.state='OPEN' order by i1_0.due_on for update;
insert into payment_allocation (amount,invoice_id,payment_id,tenant_id) values (90.5,{invoice},{new:payment},{tenant});
update invoice set paid_amount=paid_amount+90.5,state='PAID' where tenant_id={tenant} and id={invoice};
insert into outbox_event (created_at,payload,sent_at,tenant_slug,topic) values ('{now}','{"payment": 1}',null,'tenant-7','invoice.paid');
@end;

-- page: payments of a tenant, weight: 20
@api key;
select {h:payment:p1_0} from payment p1_0 where p1_0.tenant_id={tenant} and p1_0.received_at>='2026-03-01' order by p1_0.received_at desc limit 0,50;
select sum(p1_0.amount) from payment p1_0 where p1_0.tenant_id={tenant} and p1_0.state='SETTLED';

-- page: payment is made, weight: 25
insert into payment (amount,customer_id,provider_ref,received_at,state,tenant_id,version) values (90.5,{customer},'ch_{hex:14}','{now}','PENDING',{tenant},0);

-- page: refund, weight: 4
@begin;
select {h:payment:p1_0},{h:customer:c1_0} from payment p1_0 join customer c1_0 on c1_0.id=p1_0.customer_id where p1_0.id={id};
insert into refund (amount,payment_id,requested_at,state) values (5,{id},'{now}','REQUESTED');
insert into refund_event (happened_at,note,refund_id) values ('{now}','asked by phone',{new:refund});
@end;

-- page: refund is done, weight: 4
update refund set amount=5,payment_id={id},requested_at='{now}',state='DONE' where id={id};
insert into refund_event (happened_at,note,refund_id) values ('{now}',null,{id});

-- page: refunds of a tenant, weight: 3
select {h:refund:r1_0},p1_0.id,p1_0.amount from refund r1_0 join payment p1_0 on p1_0.id=r1_0.payment_id where p1_0.tenant_id={tenant} order by r1_0.requested_at desc limit 0,20;
select re1_0.refund_id,re1_0.id,re1_0.happened_at,re1_0.note from refund_event re1_0 where re1_0.refund_id in ({ids:4}) order by re1_0.happened_at;

-- page: subscriptions of a customer, weight: 60
@api key;
select {h:subscription:s1_0},p1_0.id,p1_0.code,p1_0.name,p1_0.retired from subscription s1_0 join plan p1_0 on p1_0.id=s1_0.plan_id where s1_0.tenant_id={tenant} and s1_0.customer_id={customer};
select pp1_0.plan_id,pp1_0.id,pp1_0.amount,pp1_0.currency from plan_price pp1_0 where pp1_0.plan_id in (1,2,3);

-- page: subscription, weight: 50
@api key;
select {h:subscription:s1_0} from subscription s1_0 where s1_0.id={id} and s1_0.tenant_id={tenant};
select coalesce(sum(uc1_0.total),0) from usage_counter uc1_0 where uc1_0.tenant_id={tenant} and uc1_0.meter_id={id} and uc1_0.day between '2026-03-01' and '2026-03-31';

-- page: subscription is made, weight: 8
@begin;
select p1_0.id,p1_0.code,p1_0.name,p1_0.retired from plan p1_0 where p1_0.code='plan-3';
insert into subscription (customer_id,next_billing_on,plan_id,quantity,replaces_id,started_on,state,tenant_id,version) values ({customer},'2026-04-14',3,1,null,'2026-03-14','ACTIVE',{tenant},0);
insert into outbox_event (created_at,payload,sent_at,tenant_slug,topic) values ('{now}','{"subscription": 1}',null,'tenant-7','subscription.created');
@end;

-- page: plan is changed, weight: 3
@begin;
select {h:subscription:s1_0} from subscription s1_0 where s1_0.tenant_id={tenant} and s1_0.id={id} for update;
update subscription set customer_id={customer},next_billing_on=null,plan_id=3,quantity=1,replaces_id=null,started_on='2026-01-01',state='CANCELLED',version=1 where id={id} and version=0;
select s1_0.id,r1_0.id,r1_0.plan_id,r1_0.state from subscription s1_0 left join subscription r1_0 on r1_0.id=s1_0.replaces_id where s1_0.tenant_id={tenant} and s1_0.customer_id={customer};
@end;

-- page: seats are changed, weight: 4
update subscription set quantity=quantity+1,version=version+1 where tenant_id={tenant} and id={id};

-- page: usage of a month, weight: 25
@api key;
select uc1_0.day,sum(uc1_0.total) from usage_counter uc1_0 where uc1_0.tenant_id={tenant} and uc1_0.meter_id={id} and uc1_0.day>='2026-03-01' group by uc1_0.day order by uc1_0.day;
select {h:usage_record:ur1_0} from usage_record ur1_0 where ur1_0.tenant_id={tenant} and ur1_0.recorded_at>='2026-03-14' order by ur1_0.recorded_at desc limit 0,100;

-- page: usage with the name of the tenant, weight: 5
select t1_0.slug,ur1_0.meter_id,sum(ur1_0.quantity) from usage_record ur1_0 join tenant t1_0 on t1_0.id=ur1_0.tenant_id where ur1_0.tenant_id={tenant} group by t1_0.slug,ur1_0.meter_id;
select ur1_0.id from usage_record ur1_0 where ur1_0.request_id='{hex:32}' limit 1;

-- page: usage of a subscription is summed up, weight: 12
select sum(ur1_0.quantity),count(ur1_0.id),max(ur1_0.recorded_at) from usage_record ur1_0 where ur1_0.subscription_id={id} and ur1_0.recorded_at between '2026-02-01' and '2026-03-01';

-- page: meters, weight: 6
select m1_0.id,m1_0.name,m1_0.tenant_id,m1_0.unit from meter m1_0 where m1_0.tenant_id={tenant} order by m1_0.name;
insert into meter (name,tenant_id,unit) values ('Traffic',{tenant},'GB');

-- page: log in, weight: 30
select {h:app_user:au1_0} from app_user au1_0 where au1_0.email='person7@example.com';
select {h:app_user:au1_0},{h:tenant:t1_0} from app_user au1_0 left join tenant t1_0 on t1_0.id=au1_0.tenant_id where au1_0.id={id};

-- page: users of a tenant, weight: 4
select {h:app_user:au1_0} from app_user au1_0 where au1_0.tenant_id={tenant} order by au1_0.email;
insert into app_user (email,full_name,password_hash,role,tenant_id,version) values ('{hex:12}@example.com',null,'x','VIEWER',{tenant},0);
update app_user set email='{hex:12}@example.com',full_name='Ada',password_hash='x',role='VIEWER',tenant_id={tenant},version=1 where id={id} and version=0;
delete from app_user where id={id} and version=0;

-- page: our staff, weight: 1
select {h:app_user:au1_0} from app_user au1_0 where au1_0.tenant_id is null order by au1_0.email;

-- page: tenant by its name in the address, weight: 60
select {h:tenant:t1_0} from tenant t1_0 where t1_0.slug='tenant-7';

-- page: tenant's settings, weight: 2
update tenant set country_code='DE',created_at='{now}',name='Tenant',parent_tenant_id=null,settings='{"locale": "fr"}',slug='tenant-{hex:6}',version=1 where id={tenant} and version=0;
select json_extract(t1_0.settings,'$.locale') from tenant t1_0 where t1_0.id={tenant};

-- page: tenant is made, weight: 1
@begin;
insert into tenant (country_code,created_at,name,parent_tenant_id,settings,slug,version) values ('DE','{now}','New',null,null,'new-{hex:8}',0);
insert into invoice_sequence (next_no,prefix,tenant_id) values (1,'RE',{new:tenant});
insert into ledger_account (balance,code,tenant_id,version) values (0,'100',{new:tenant},0),(0,'101',{new:tenant},0);
insert into api_key (created_at,key_hash,last_used_at,name,revoked,tenant_id) values ('{now}','{hex:64}',null,'first',0,{new:tenant});
@end;

-- page: tenants below a tenant, weight: 2
select {h:tenant:t1_0} from tenant t1_0 where t1_0.parent_tenant_id={tenant};
select t1_0.id,p1_0.name from tenant t1_0 join tenant p1_0 on p1_0.id=t1_0.parent_tenant_id order by p1_0.name;

-- page: countries and taxes, weight: 10
select c1_0.code,c1_0.eu_member,c1_0.name from country c1_0 order by c1_0.name;
select tr1_0.id,tr1_0.country_code,tr1_0.percent,tr1_0.valid_from from tax_rate tr1_0 where tr1_0.country_code='DE' and tr1_0.valid_from<='2026-03-14' order by tr1_0.valid_from desc limit 1;
select p1_0.id,p1_0.code,p1_0.name,p1_0.retired from plan p1_0 where p1_0.retired=0 order by p1_0.name;

-- page: plans are edited, weight: 1
insert into plan (code,name,retired) values ('plan-{hex:8}','New plan',0);
insert into plan_price (amount,currency,plan_id) values (12.5,'CHF',{new:plan}),(12,'JPY',{new:plan});
update plan set code='plan-x{hex:6}',name='Old plan',retired=1 where id=3;
update tax_rate set country_code='DE',percent=19,valid_from='2020-01-01' where id=3;

-- page: customers and plans by country, weight: 2
select c1_0.country_code,count(distinct c1_0.id) from customer c1_0 join subscription s1_0 on s1_0.customer_id=c1_0.id where s1_0.state='ACTIVE' group by c1_0.country_code;
select p1_0.code,count(s1_0.id),sum(s1_0.quantity) from subscription s1_0 join plan p1_0 on p1_0.id=s1_0.plan_id where s1_0.state in ('ACTIVE','TRIAL') group by p1_0.code order by count(s1_0.id) desc limit 20;

-- page: job lock (scheduler), weight: 75
insert ignore into job_lock(name, lock_until, locked_at, locked_by) values ('job-{int:1:12}', '2026-03-14 10:00:00.000', '2026-03-14 10:00:00.000', 'worker-2');
update job_lock set lock_until='2026-03-14 10:05:00.000', locked_at='2026-03-14 10:00:00.000', locked_by='worker-2' where name='job-{int:1:12}' and lock_until <= '2026-03-14 10:00:00.000';
update job_lock set lock_until='2026-03-14 10:00:10.000' where name='job-{int:1:12}';

-- page: outbox (scheduler), weight: 45
select {h:outbox_event:oe1_0} from outbox_event oe1_0 where oe1_0.sent_at is null order by oe1_0.id limit 100 for update skip locked;
update outbox_event set sent_at='{now}' where id in ({ids:5});

-- page: events of a tenant, weight: 3
select {h:outbox_event:oe1_0} from outbox_event oe1_0 where oe1_0.tenant_slug='Tenant-7' order by oe1_0.id desc limit 50;
select t1_0.id,count(oe1_0.id) from tenant t1_0 join outbox_event oe1_0 on oe1_0.tenant_slug=t1_0.slug where t1_0.id={tenant} group by t1_0.id;
delete from outbox_event where sent_at<'2026-03-07' order by id limit 5000;

-- page: webhooks (scheduler), weight: 30
select wd1_0.id,wd1_0.attempts,wd1_0.endpoint_id,wd1_0.event_id,wd1_0.next_attempt_at,wd1_0.response_code,e1_0.id,e1_0.enabled,e1_0.secret,e1_0.tenant_id,e1_0.url from webhook_delivery wd1_0 join webhook_endpoint e1_0 on e1_0.id=wd1_0.endpoint_id where wd1_0.next_attempt_at<='{now}' and e1_0.enabled=1 order by wd1_0.next_attempt_at limit 200;
update webhook_delivery set attempts=2,endpoint_id={id},event_id={id},next_attempt_at=null,response_code=200 where id={id};

-- page: webhook is planned, weight: 35
select we1_0.id,we1_0.enabled,we1_0.secret,we1_0.tenant_id,we1_0.url from webhook_endpoint we1_0 where we1_0.tenant_id={tenant} and we1_0.enabled=1;
insert into webhook_delivery (attempts,endpoint_id,event_id,next_attempt_at,response_code) values (0,{id},{id},'{now}',null);

-- page: webhook's history, weight: 3
select wd1_0.id,wd1_0.attempts,wd1_0.endpoint_id,wd1_0.event_id,wd1_0.next_attempt_at,wd1_0.response_code from webhook_delivery wd1_0 where wd1_0.endpoint_id={id} order by wd1_0.id desc limit 0,50;
insert into webhook_endpoint (enabled,secret,tenant_id,url) values (1,'{hex:20}',{tenant},'https://example.com');

-- page: audit, weight: 10
insert into audit_log (action,actor,created_at,details,tenant_id) values ('LOGIN','person7@example.com','{now}',null,{tenant});
insert into audit_log (action,actor,created_at,details,tenant_id) values ('JOB_RUN','system','{now}','{"job": 3}',null);
select {h:audit_log:al1_0} from audit_log al1_0 where al1_0.tenant_id={tenant} order by al1_0.created_at desc limit 0,100;
select {h:audit_log:al1_0} from audit_log al1_0 where al1_0.tenant_id is null order by al1_0.created_at desc limit 0,100;

-- page: ledger, weight: 12
select {h:ledger_account:la1_0} from ledger_account la1_0 where la1_0.tenant_id={tenant} order by la1_0.code;
select {h:ledger_entry:le1_0} from ledger_entry le1_0 where le1_0.tenant_id={tenant} and le1_0.account_id={id} order by le1_0.booked_at desc limit 0,100;
select le1_0.account_id,sum(le1_0.amount) from ledger_entry le1_0 where le1_0.tenant_id={tenant} and le1_0.booked_at<'2026-03-01' group by le1_0.account_id having sum(le1_0.amount)<>0;

-- page: settlement between tenants (nightly), weight: 2
@begin;
select {h:ledger_account:la1_0} from ledger_account la1_0 where la1_0.tenant_id in ({tenant},{tenant2}) and la1_0.code='100' order by la1_0.id for update;
update ledger_account set balance=balance-9 where tenant_id={tenant} and code='100';
update ledger_account set balance=balance+9 where tenant_id={tenant2} and code='100';
insert into settlement (amount,from_tenant_id,settled_at,to_tenant_id) values (9,{tenant},'{now}',{tenant2});
@end;
select {h:settlement:s1_0} from settlement s1_0 where s1_0.from_tenant_id={tenant} or s1_0.to_tenant_id={tenant} order by s1_0.settled_at desc limit 0,50;
select s1_0.from_tenant_id,s1_0.to_tenant_id,sum(s1_0.amount) from settlement s1_0 where s1_0.settled_at>='2026-03-01' group by s1_0.from_tenant_id,s1_0.to_tenant_id;

-- page: subscriptions are due (nightly), weight: 2
select {h:subscription:s1_0} from subscription s1_0 where s1_0.state='ACTIVE' and s1_0.next_billing_on<='2026-03-14' order by s1_0.id limit 500;
select s1_0.tenant_id,count(s1_0.id) from subscription s1_0 where s1_0.state='PAST_DUE' group by s1_0.tenant_id;

-- page: reminders (nightly), weight: 2
select {h:invoice:i1_0},c1_0.email,t1_0.name from invoice i1_0 join customer c1_0 on c1_0.id=i1_0.customer_id join tenant t1_0 on t1_0.id=i1_0.tenant_id where i1_0.state='OPEN' and i1_0.due_on<'2026-03-07' order by i1_0.due_on limit 0,200;
update subscription s join invoice_line l on l.subscription_id=s.id join invoice i on i.tenant_id=l.tenant_id and i.id=l.invoice_id set s.state='PAST_DUE' where i.state='OPEN' and i.due_on<'2026-02-01' and s.state='ACTIVE';

-- page: invoices that differ (nightly), weight: 1
select i1_0.id,i1_0.total_amount,sum(l1_0.amount) from invoice i1_0 join invoice_line l1_0 on l1_0.tenant_id=i1_0.tenant_id and l1_0.invoice_id=i1_0.id where i1_0.issued_on>='2026-03-01' group by i1_0.id,i1_0.total_amount having sum(l1_0.amount)<>i1_0.total_amount;
select p1_0.id from payment p1_0 left join payment_allocation a1_0 on a1_0.payment_id=p1_0.id where a1_0.payment_id is null and p1_0.state='SETTLED';
select d1_0.id from document d1_0 where d1_0.object_type='INVOICE' and not exists(select 1 from invoice i1_0 where i1_0.id=d1_0.object_id) limit 100;

-- page: turnover of a month (report), weight: 1
select i1_0.issued_month,i1_0.currency,sum(i1_0.total_amount),count(*) from invoice i1_0 where i1_0.state in ('OPEN','PAID') group by i1_0.issued_month,i1_0.currency order by i1_0.issued_month desc limit 24;
select t1_0.name,sum(i1_0.total_amount) from invoice i1_0 join tenant t1_0 on t1_0.id=i1_0.tenant_id where i1_0.issued_on between '2026-02-01' and '2026-02-28' group by t1_0.id,t1_0.name order by sum(i1_0.total_amount) desc limit 10;
select date_format(p1_0.received_at,'%Y-%m'),sum(p1_0.amount) from payment p1_0 where p1_0.state='SETTLED' group by date_format(p1_0.received_at,'%Y-%m');
select count(distinct p1_0.customer_id) from payment p1_0 where p1_0.received_at>=now() - interval 30 day;
select distinct i1_0.currency from invoice i1_0;
select avg(i1_0.total_amount) from invoice i1_0 where i1_0.state='PAID';

-- page: a tenant's old usage is deleted (nightly), weight: 1
delete from usage_record where tenant_id={tenant} and recorded_at<'2025-03-01' limit 10000;
delete from usage_record where recorded_at<'2024-03-01' limit 10000;
delete from webhook_delivery where next_attempt_at is null and id<{id};
delete from audit_log where created_at<'2024-03-01' limit 10000;
