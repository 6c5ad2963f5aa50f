import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Reads lines of a table and its key, and prints database, table and bucket of each. */
public final class Runner {
    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        StringBuilder answers = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] cells = line.split("\t");
            Map<String, Object> key = new HashMap<>();
            for (int at = 1; at < cells.length; at++) {
                String[] cell = cells[at].split("=", -1);
                key.put(cell[0], value(cell[1], cell[2]));
            }
            try {
                ShardRouter.Place place = ShardRouter.route(cells[0], key);
                long bucket = ShardRouter.bucket(cells[0], key);
                answers.append(place.database() + "." + place.table() + "/" + bucket + "\n");
            } catch (ShardRouter.NoPlace refused) {
                answers.append("refused\n");
            }
        }
        System.out.print(answers);
    }

    private static Object value(String kind, String digits) {
        switch (kind) {
            case "integer":
                return new BigInteger(digits);
            case "text":
                return new String(octets(digits), StandardCharsets.UTF_8);
            case "bytes":
                return octets(digits);
            default:
                return null;
        }
    }

    private static byte[] octets(String digits) {
        byte[] octets = new byte[digits.length() / 2];
        for (int at = 0; at < octets.length; at++) {
            octets[at] = (byte) Integer.parseInt(digits.substring(2 * at, 2 * at + 2), 16);
        }
        return octets;
    }
}
