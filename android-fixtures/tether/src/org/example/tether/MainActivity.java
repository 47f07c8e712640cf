package org.example.tether;

import android.app.Activity;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.content.ServiceConnection;
import android.os.Bundle;
import android.os.Handler;
import android.os.IBinder;
import android.os.Message;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;

/** Start and stop; the rest is details. */
public class MainActivity extends Activity
        implements View.OnClickListener, View.OnLongClickListener {
    enum State { IDLE, STARTING, RUNNING, STOPPING, FAILED }

    private static final int TICK = 1, STARTED = 2, STOPPED = 3;
    private static final String[] BUTTONS =
            {"toggle", "toggle", "join", "join", "traffic", "traffic", "traffic", "scan", "kick",
             "status", "clients", "address", "deep", "broken", "setup", "help"};

    private State state = State.IDLE;
    private TextView status;
    private Commands commands;
    private Network network;
    private TetherService.Local service;
    private int ticks;
    private int clicks;
    private StringBuilder heard = new StringBuilder();
    private EventBus.Listener listener;

    private final Handler handler = new Handler() {
        @Override
        public void handleMessage(Message m) {
            switch (m.what) {
                case TICK: tick(); break;
                case STARTED: enter(m.arg1 == 0 ? State.RUNNING : State.FAILED); break;
                case STOPPED: enter(State.IDLE); break;
                default: throw new IllegalArgumentException("message " + m.what);
            }
        }
    };

    private final BroadcastReceiver receiver = new BroadcastReceiver() {
        @Override
        public void onReceive(Context c, Intent i) {
            int level = i.getIntExtra("level", -1);
            Screen.show("heard %s %d", i.getAction(), level);
            if (level >= 0 && level < 5 && state == State.RUNNING) toggle();
        }
    };

    private final ServiceConnection connection = new ServiceConnection() {
        @Override
        public void onServiceConnected(ComponentName n, IBinder b) {
            service = (TetherService.Local) b;
            Screen.show("connected, uptime %d", service.uptime());
        }

        @Override
        public void onServiceDisconnected(ComponentName n) { service = null; }
    };

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        TetherApp app = (TetherApp) getApplication();
        network = app.network();
        commands = new Commands(network);
        LinearLayout root = new LinearLayout(this);
        root.setId(1);
        status = new TextView(this);
        for (int i = 0; i < BUTTONS.length; i++) {
            Button b = new Button(this);
            b.setId(100 + i);
            b.setText(BUTTONS[i]);
            b.setOnClickListener(this);
            if (i % 3 == 0) b.setOnLongClickListener(this);
            root.addView(b);
        }
        setContentView(root);
        listener = (kind, subject) -> {
            if (kind.equals("refused")) throw new Exception(String.valueOf(subject));
            heard.append(kind.charAt(0));
        };
        app.bus().add(listener);
        state = network.up() ? State.RUNNING : State.IDLE;
        if (saved != null) clicks = saved.getInt("clicks");
        show();
    }

    @Override
    protected void onStart() {
        super.onStart();
        registerReceiver(receiver, new IntentFilter("org.example.tether.CLIENT"));
        bindService(new Intent(this, TetherService.class), connection, BIND_AUTO_CREATE);
    }

    @Override
    protected void onResume() {
        super.onResume();
        handler.sendEmptyMessageDelayed(TICK, 250);
    }

    @Override
    protected void onPause() {
        handler.removeMessages(TICK);
        super.onPause();
    }

    @Override
    protected void onStop() {
        unregisterReceiver(receiver);
        unbindService(connection);
        service = null;
        super.onStop();
    }

    @Override
    protected void onRestart() {
        super.onRestart();
        show();
    }

    @Override
    protected void onSaveInstanceState(Bundle out) { out.putInt("clicks", clicks); }

    @Override
    protected void onNewIntent(Intent i) {
        int n = i.getIntExtra("n", 0);
        Screen.show(commands.run(n % 2 == 0 ? "status" : "deep " + n));
    }

    @Override
    protected void onDestroy() {
        ((TetherApp) getApplication()).bus().remove(listener);
        if (isFinishing()) {
            network.stop();
            Screen.show("bye after %d clicks, %d ticks", clicks, ticks);
        }
        super.onDestroy();
    }

    private void tick() {
        ticks++;
        if (state == State.RUNNING && ticks % 4 == 0) network.traffic(2);
        handler.sendEmptyMessageDelayed(TICK, 250);
    }

    private void enter(State next) {
        boolean allowed;
        switch (state) {
            case IDLE: allowed = next == State.STARTING; break;
            case STARTING: allowed = next == State.RUNNING || next == State.FAILED; break;
            case RUNNING: allowed = next == State.STOPPING; break;
            case STOPPING: allowed = next == State.IDLE; break;
            default: allowed = next == State.STARTING || next == State.IDLE;
        }
        if (!allowed) {
            Screen.show("no way from %s to %s", state, next);
            return;
        }
        state = next;
        show();
    }

    private void show() {
        status.setText(state + " " + network.settings());
        Screen.show("%s", status.getText());
    }

    private void toggle() {
        switch (state) {
            case IDLE:
            case FAILED: {
                enter(State.STARTING);
                int failed = 0;
                try {
                    network.start();
                    startService(new Intent(this, TetherService.class)
                            .putExtra("n", clicks).putExtra("arg", 3));
                } catch (IllegalStateException | UnsupportedOperationException e) {
                    failed = 1;
                    Screen.show("cannot start: %s", e.getMessage());
                } finally {
                    handler.sendMessageDelayed(handler.obtainMessage(STARTED, failed, 0), 5);
                }
                break;
            }
            case RUNNING:
                enter(State.STOPPING);
                network.stop();
                stopService(new Intent(this, TetherService.class));
                handler.sendEmptyMessageDelayed(STOPPED, 5);
                break;
            default:
                Screen.show("wait");
        }
    }

    @Override
    public void onClick(View v) {
        clicks++;
        String what = ((Button) v).getText().toString();
        if (clicks % 16 == 0) Screen.show("heard %s", heard);
        switch (what) {
            case "toggle": toggle(); return;
            case "join":
                for (int i = 0; network.up() && i < 3; i++) {
                    Client c = network.join();
                    if (c == null) break;
                    Screen.show("joined %s", c);
                }
                return;
            case "traffic": Screen.show(network.traffic(5)); return;
            case "scan":
                try {
                    if (network.up()) for (String s : network.scan()) Screen.show(s);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return;
            case "kick":
                for (Client c : network.clients()) {
                    if (!network.kick(c)) continue;
                    Screen.show("kicked %s", c.name);
                    break;
                }
                return;
            case "setup":
                startActivity(new Intent(this, SetupActivity.class).putExtra("n", clicks));
                return;
            case "address":
                Screen.show(commands.run("address 10.1.2" + (clicks % 3 == 0 ? "" : "." + clicks)));
                return;
            case "deep": Screen.show(commands.run("deep " + clicks % 7)); return;
            default: Screen.show(commands.run(what));
        }
    }

    @Override
    public boolean onLongClick(View v) {
        int id = v.getId() - 100;
        if (id > 12) throw new IllegalStateException("crash wanted by a long click");
        EventBus bus = ((TetherApp) getApplication()).bus();
        StringBuilder said = new StringBuilder();
        EventBus.Listener proxy = Commands.proxy(said);
        bus.add(proxy);
        bus.add((kind, subject) -> {
            throw new IllegalStateException(kind);
        });
        bus.fire("long" + id, v);
        bus.remove(proxy);
        Screen.show("%s dropped %d", said, bus.dropped());
        return id % 2 == 0;
    }
}
