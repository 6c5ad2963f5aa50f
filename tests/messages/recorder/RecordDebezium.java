/* Records what Debezium writes: one line of JSON for each message, {"topic", "key", "value"} with key and value as texts or null.

   java -cp 'LIB/*' RecordDebezium.java OUT.jsonl END_TABLE connector.property=value ...

   Runs the embedded engine with Kafka Connect's JSON converter until a change of table END_TABLE has come. */
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.source.SourceRecord;

public class RecordDebezium {
    public static void main(String[] arguments) throws Exception {
        Path out = Path.of(arguments[0]);
        String endTable = arguments[1];
        Properties settings = new Properties();
        Map<String, Object> converterSettings = new HashMap<>();
        for (int i = 2; i < arguments.length; i++) {
            String[] pair = arguments[i].split("=", 2);
            if (pair[0].startsWith("converter.")) converterSettings.put(pair[0].substring(10), pair[1]);
            else settings.setProperty(pair[0], pair[1]);
        }
        JsonConverter keys = new JsonConverter();
        JsonConverter values = new JsonConverter();
        keys.configure(converterSettings, true);
        values.configure(converterSettings, false);
        CountDownLatch ended = new CountDownLatch(1);
        try (PrintWriter lines = new PrintWriter(Files.newBufferedWriter(out, StandardCharsets.UTF_8))) {
            DebeziumEngine<RecordChangeEvent<SourceRecord>> engine =
                DebeziumEngine.create(ChangeEventFormat.of(Connect.class)).using(settings)
                    .using((ok, message, error) -> {
                        if (error != null) error.printStackTrace();
                        System.err.println("completed: " + message);
                        ended.countDown();
                    })
                    .notifying((records, committer) -> {
                        for (RecordChangeEvent<SourceRecord> event : records) {
                            SourceRecord record = event.record();
                            if (ended.getCount() > 0) {
                                byte[] key = keys.fromConnectData(record.topic(), record.keySchema(), record.key());
                                byte[] value = values.fromConnectData(record.topic(), record.valueSchema(), record.value());
                                lines.println("{\"topic\":" + quoted(record.topic()) + ",\"key\":" + quoted(key) + ",\"value\":" + quoted(value) + "}");
                                if (record.topic().endsWith("." + endTable)) ended.countDown();
                            }
                            committer.markProcessed(event);
                        }
                        committer.markBatchFinished();
                    }).build();
            var thread = Executors.newSingleThreadExecutor();
            thread.execute(engine);
            if (!ended.await(120, TimeUnit.SECONDS)) System.err.println("no change of " + endTable + " in 120 s");
            engine.close();
            thread.shutdown();
            thread.awaitTermination(30, TimeUnit.SECONDS);
        }
        System.exit(0);
    }

    private static String quoted(byte[] text) {
        return text == null ? "null" : quoted(new String(text, StandardCharsets.UTF_8));
    }

    private static String quoted(String text) {
        StringBuilder shown = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') shown.append('\\').append(c);
            else if (c < 32 || c == 127) shown.append(String.format("\\u%04x", (int) c));
            else shown.append(c);
        }
        return shown.append('"').toString();
    }
}
