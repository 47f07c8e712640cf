package org.example.tether;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;

/** Changes settings, wrong values included. */
public class SetupActivity extends Activity {
    private static final String[][] VALUES = {
        {"channel", "11"}, {"channel", "x"}, {"channel", "14"}, {"ssid", "cafe"}, {"ssid", ""},
        {"security", "WPA2"}, {"security", "WEP"}, {"security", "OPEN"}, {"security", "NONE"},
        {"pass", "secret-42"}, {"pass", "short"}, {"leases", "3"}, {"leases", "many"},
        {"colour", "red"},
    };

    private Settings settings;
    private int changes;

    @Override
    protected void onCreate(Bundle saved) {
        super.onCreate(saved);
        settings = ((TetherApp) getApplication()).network().settings();
        LinearLayout root = new LinearLayout(this);
        root.setId(1);
        for (final String[] pair : VALUES) {
            Button b = new Button(this);
            b.setText(pair[0]);
            b.setOnClickListener(new View.OnClickListener() {
                @Override
                public void onClick(View v) { change(pair[0], pair[1]); }
            });
            root.addView(b);
        }
        Button back = new Button(this);
        back.setOnClickListener(v -> finish());
        root.addView(back);
        setContentView(root);
    }

    private void change(String field, String value) {
        try {
            settings.set(field, value);
            changes++;
        } catch (Settings.InvalidException e) {
            Screen.show("invalid %s", e.field);
        } catch (NumberFormatException e) {
            Screen.show("not a number");
        } catch (IllegalArgumentException e) {
            Screen.show("bad choice");
        }
        Screen.show("%s", settings);
    }

    @Override
    protected void onPause() {
        super.onPause();
        if (changes > 0) settings.store(getSharedPreferences("tether", MODE_PRIVATE).edit());
        Screen.show("%d changes", changes);
    }
}
