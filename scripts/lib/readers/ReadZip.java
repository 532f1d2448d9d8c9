import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Reads ZIP archives as `jar` does: java ReadZip.java < LIST
 *
 * LIST has one path a line. For each, a line of JSON follows on the standard output: the SHA-256 of each file by its
 * name, or the error. `jar` itself lists the archive; the contents come from the class with which `jar xf` reads them,
 * because starting a virtual machine for each archive takes most of a second.
 */
public class ReadZip {
    public static void main(String[] arguments) throws Exception {
        var jar = ToolProvider.findFirst("jar").orElseThrow();
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String path = lines.readLine(); path != null; path = lines.readLine()) {
            try {
                var files = files(path);
                var listed = listed(jar, path);
                var names = new ArrayList<String>();
                for (String[] file : files) names.add(file[0]);
                Collections.sort(names);
                Collections.sort(listed);
                if (!names.equals(listed)) {
                    throw new IOException("jar lists " + listed + " and extracts " + names);
                }
                var parts = new ArrayList<String>();
                for (String[] file : files) parts.add("[\"" + encoded(file[0]) + "\",\"" + file[1] + "\"]");
                output.println("{\"files\":[" + String.join(",", parts) + "],\"error\":\"\"}");
            } catch (Exception error) {
                output.println("{\"files\":null,\"error64\":\"" + encoded(error.toString()) + "\"}");
            }
        }
    }

    private static List<String[]> files(String path) throws Exception {
        var files = new ArrayList<String[]>();
        var buffer = new byte[1 << 16];
        try (var archive = new ZipFile(path)) {
            for (ZipEntry entry : Collections.list(archive.entries())) {
                if (entry.isDirectory()) continue;
                var hash = MessageDigest.getInstance("SHA-256");
                try (InputStream content = archive.getInputStream(entry)) {
                    for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
                        hash.update(buffer, 0, count);
                    }
                }
                files.add(new String[] {entry.getName(), HexFormat.of().formatHex(hash.digest())});
            }
        }
        return files;
    }

    private static List<String> listed(ToolProvider jar, String path) throws IOException {
        var text = new StringWriter();
        var errors = new StringWriter();
        int status = jar.run(new PrintWriter(text), new PrintWriter(errors), "tf", path);
        if (status != 0) throw new IOException("jar tf: " + errors);
        var names = new ArrayList<String>();
        for (String line : text.toString().split("\n")) {
            if (!line.isEmpty() && !line.endsWith("/")) names.add(line);
        }
        return names;
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
