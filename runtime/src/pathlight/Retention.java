package pathlight;

import java.io.File;
import java.util.TreeMap;

/**
 * Keeps the log files of a folder below {@link Config#KEEP_BYTES}: the oldest go first, of whatever
 * build.
 */
final class Retention {
    private Retention() {}

    /**
     * Makes room for a file that is about to have this size. Files of running processes stay.
     * (A lock held by the process that writes would show which these are; but one that closes any
     * descriptor of its file gives its locks up, and this runtime keeps none open. An app sees its
     * own processes in /proc whatever it is denied there; a process id that another one has got by
     * now only keeps a file longer.)
     */
    static void make(File own, long bytes) {
        File[] files = own.getParentFile().listFiles();
        if (files == null) {
            return;
        }
        TreeMap<String, File> byAge = new TreeMap<String, File>();
        long total = bytes;
        for (File file : files) {
            String[] log = file.equals(own) ? null : log(file.getName());
            if (log == null) {
                continue;
            }
            total += file.length();
            if (!new File("/proc/" + log[1]).exists()) {
                byAge.put("0000000000000000000".substring(log[2].length()) + log[2]
                              + file.getName(), file);
            }
        }
        for (File file : byAge.values()) {
            if (total <= Config.KEEP_BYTES) {
                return;
            }
            long length = file.length();
            if (file.delete()) {
                total -= length;
            }
        }
    }

    /** Build, process id and start, which the name of a log has; null: no log. */
    static String[] log(String name) {
        String[] words = name.split("-");
        if (words.length < 4 || !words[0].equals("pathlight") || !isLog(name)) {
            return null;
        }
        String start = isLog(words[3]) ? words[3].substring(0, words[3].length() - 4) : words[3];
        return digits(words[2], 10) && digits(start, 19) ? new String[] {words[1], words[2], start}
                : null;
    }

    private static boolean isLog(String name) {
        return name.endsWith(".plt") || name.endsWith(".plc") || name.endsWith(".plh");
    }

    private static boolean digits(String text, int most) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return text.length() > 0 && text.length() <= most;
    }
}
