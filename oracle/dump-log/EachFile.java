import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Runs the tool kafka-dump-log once for each file, one after the other in one JVM, as from the command line: what makes
 * it give up on one file does not keep it from the next.
 *
 * <p>{@code java -cp JARS EachFile.java MAIN_CLASS [FLAG…] -- FILE…}
 */
public final class EachFile {
    private EachFile() {
    }

    /** Standard output, and whether the last line on it has ended. */
    private static final class Lines extends FilterOutputStream {
        private int last = '\n';

        Lines(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int next) throws IOException {
            last = next;
            out.write(next);
        }
    }

    public static void main(String[] arguments) throws ReflectiveOperationException {
        Lines lines = new Lines(System.out);
        PrintStream out = new PrintStream(lines, true);
        System.setOut(out);
        int dashes = Arrays.asList(arguments).indexOf("--");
        Method tool = Class.forName(arguments[0]).getMethod("main", String[].class);
        for (String file : Arrays.copyOfRange(arguments, dashes + 1, arguments.length)) {
            List<String> given = new ArrayList<>(Arrays.asList(arguments).subList(1, dashes));
            given.add("--files");
            given.add(file);
            try {
                tool.invoke(null, (Object) given.toArray(String[]::new));
            } catch (InvocationTargetException failed) {
                // It may have given up in the middle of a line, which in a file of its own would be the last.
                if (lines.last != '\n') {
                    out.println();
                }
                // The JVM prints an exception that main throws; its stack is no matter here.
                System.err.println(file + ": Exception in thread \"main\" " + failed.getCause());
            }
        }
    }
}
