package org.example.tether;

import android.app.Application;
import android.util.Log;

/** Holds what outlives activities and services. */
public class TetherApp extends Application {
    private Network network;
    private EventBus bus;

    @Override
    public void onCreate() {
        super.onCreate();
        bus = new EventBus();
        network = new Network(Settings.from(getSharedPreferences("tether", MODE_PRIVATE)), bus);
        Log.i("Tether", "application created");
    }

    @Override
    public void onTrimMemory(int level) {
        if (level > 5) network.clients().forgetIdle(level);
    }

    public Network network() { return network; }
    public EventBus bus() { return bus; }
}
