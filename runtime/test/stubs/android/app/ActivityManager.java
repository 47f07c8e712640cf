package android.app;

import java.util.ArrayList;
import java.util.List;

/**
 * Answers as the property stub.exits has it: "null", "throw", or for each exit pid, time, reason,
 * status, importance, with commas between these and semicolons between exits.
 * "wait " comes first where the answer takes three seconds.
 */
public class ActivityManager {
    public List<ApplicationExitInfo> getHistoricalProcessExitReasons(String name, int pid,
                                                                     int most) {
        String exits = System.getProperty("stub.exits", "");
        if (name != null || pid != 0 || most <= 0) {
            throw new IllegalArgumentException(name + " " + pid + " " + most);
        }
        if (exits.startsWith("wait ")) {
            exits = exits.substring(5);
            try {
                Thread.sleep(3000);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        if (exits.equals("throw")) {
            throw new SecurityException("isolated process not allowed to call this");
        }
        if (exits.equals("null")) {
            return null;
        }
        List<ApplicationExitInfo> all = new ArrayList<ApplicationExitInfo>();
        for (String exit : exits.split(";")) {
            if (!exit.isEmpty() && all.size() < most) {
                all.add(new ApplicationExitInfo(exit.split(",")));
            }
        }
        return all;
    }
}
