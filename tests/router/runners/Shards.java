import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import javax.sql.DataSource;
import org.apache.shardingsphere.driver.api.yaml.YamlShardingSphereDataSourceFactory;

/** Executes lines of a statement and its parameters through ShardingSphere-JDBC, and prints the rows of each. */
public final class Shards {
    public static void main(String[] arguments) throws Exception {
        DataSource source = YamlShardingSphereDataSourceFactory.createDataSource(new File(arguments[0]));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Connection connection = source.getConnection()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] cells = line.split("\t");
                try (PreparedStatement statement = connection.prepareStatement(cells[0])) {
                    for (int at = 1; at < cells.length; at++) {
                        String text = cells[at].substring(1);
                        statement.setObject(at, cells[at].charAt(0) == 'n' ? (Object) Long.valueOf(text) : text);
                    }
                    System.out.println("answer " + (statement.execute() ? rows(statement.getResultSet()) : "done"));
                }
            }
        }
        System.exit(0);
    }

    private static String rows(ResultSet found) throws Exception {
        StringBuilder made = new StringBuilder();
        while (found.next()) {
            for (int at = 1; at <= found.getMetaData().getColumnCount(); at++) {
                made.append(found.getString(at)).append(at < found.getMetaData().getColumnCount() ? "|" : ";");
            }
        }
        return made.toString();
    }
}
