/* Records what Canal writes: its own parser reads the log, its own MQMessageUtils makes flat messages of what that found, and
   fastjson prints them as its queue connectors do. One line for each message, {"topic", "key", "value"}.

   java -cp 'LIB/*' RecordCanal.java OUT.jsonl END_TABLE HOST PORT USER FILE OFFSET */
import com.alibaba.fastjson2.JSON;
import com.alibaba.fastjson2.JSONWriter;
import com.alibaba.otter.canal.common.AbstractCanalLifeCycle;
import com.alibaba.otter.canal.connector.core.producer.MQMessageUtils;
import com.alibaba.otter.canal.parse.inbound.mysql.MysqlEventParser;
import com.alibaba.otter.canal.parse.index.AbstractLogPositionManager;
import com.alibaba.otter.canal.parse.support.AuthenticationInfo;
import com.alibaba.otter.canal.protocol.CanalEntry.Entry;
import com.alibaba.otter.canal.protocol.FlatMessage;
import com.alibaba.otter.canal.protocol.Message;
import com.alibaba.otter.canal.protocol.position.EntryPosition;
import com.alibaba.otter.canal.protocol.position.LogPosition;
import com.alibaba.otter.canal.sink.CanalEventSink;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

public class RecordCanal {
    static final CountDownLatch ended = new CountDownLatch(1);
    static final ThreadPoolExecutor workers = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>());

    public static void main(String[] arguments) throws Exception {
        String endTable = arguments[1];
        try (PrintWriter lines = new PrintWriter(Files.newBufferedWriter(Path.of(arguments[0]), StandardCharsets.UTF_8))) {
            MysqlEventParser parser = new MysqlEventParser();
            parser.setDestination("recorder");
            parser.setConnectionCharset("UTF-8");
            parser.setSlaveId(9181L);
            parser.setDetectingEnable(false);
            parser.setParallel(false);
            parser.setEnableTsdb(false);
            InetSocketAddress address = new InetSocketAddress(arguments[2], Integer.parseInt(arguments[3]));
            parser.setMasterInfo(new AuthenticationInfo(address, arguments[4], ""));
            parser.setMasterPosition(new EntryPosition(arguments[5], Long.parseLong(arguments[6])));
            parser.setLogPositionManager(new Positions());
            parser.setEventSink(new Sink(lines, endTable));
            parser.start();
            System.err.println("reading");
            if (!ended.await(120, TimeUnit.SECONDS)) System.err.println("no change of " + endTable + " in 120 s");
        }
        System.exit(0);
    }

    static class Positions extends AbstractLogPositionManager {
        public LogPosition getLatestIndexBy(String destination) { return null; }
        public void persistLogPosition(String destination, LogPosition position) { }
    }

    static class Sink extends AbstractCanalLifeCycle implements CanalEventSink<List<Entry>> {
        final PrintWriter lines;
        final String endTable;
        long number = 0;

        Sink(PrintWriter lines, String endTable) {
            this.lines = lines;
            this.endTable = endTable;
        }

        public void interrupt() { }

        public synchronized boolean sink(List<Entry> entries, InetSocketAddress server, String destination) {
            Message message = new Message(++number, entries);
            for (FlatMessage flat : MQMessageUtils.messageConverter(MQMessageUtils.buildMessageData(message, workers), message.getId())) {
                if (ended.getCount() == 0) break;
                String value = JSON.toJSONString(flat, JSONWriter.Feature.WriteNulls);
                lines.println("{\"topic\":\"recorded\",\"key\":null,\"value\":" + JSON.toJSONString(value) + "}");
                if (endTable.equals(flat.getTable()) && "INSERT".equals(flat.getType())) ended.countDown();
            }
            return true;
        }
    }
}
