package org.example.tether;

import android.content.BroadcastReceiver;
import android.content.Context;
import android.content.Intent;

/** Starts at boot, stops when the battery is low. */
public class SystemReceiver extends BroadcastReceiver {
    private static int seen;

    @Override
    public void onReceive(Context context, Intent intent) {
        String action = intent.getAction();
        if (action == null) return;
        seen++;
        switch (action) {
            case Intent.ACTION_BOOT_COMPLETED:
                context.startService(new Intent(context, TetherService.class).putExtra("n", seen));
                break;
            case Intent.ACTION_BATTERY_LOW:
                if (intent.getIntExtra("level", 100) < 30) {
                    context.stopService(new Intent(context, TetherService.class));
                }
                else Screen.show("battery will do");
                break;
            default:
                Screen.show("%d: %s", seen, action);
        }
    }
}
