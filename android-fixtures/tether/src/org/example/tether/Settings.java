package org.example.tether;

import android.content.SharedPreferences;
import java.util.Locale;

/** The access point's settings, checked. */
public final class Settings {
    /** Thrown when a value cannot be used. */
    public static class InvalidException extends Exception {
        final String field;

        InvalidException(String field, String why) {
            super(field + ": " + why);
            this.field = field;
        }
    }

    enum Security {
        OPEN(0), WEP(5), WPA2(8) {
            @Override
            boolean accepts(String pass) {
                return super.accepts(pass) && pass.length() <= 63;
            }
        };

        final int least;

        Security(int least) { this.least = least; }

        boolean accepts(String pass) { return pass.length() >= least; }
    }

    static final int[] CHANNELS;
    static final String[] HEX = new String[256];

    static {
        CHANNELS = new int[13];
        for (int i = 0; i < CHANNELS.length; i++) CHANNELS[i] = 2412 + 5 * i;
        for (int i = 0; i < 256; i++) {
            String s = Integer.toHexString(i);
            HEX[i] = s.length() == 1 ? "0" + s : s;
        }
    }

    private String ssid;
    private String pass;
    private int channel;
    private Security security;
    private int leases;

    private Settings() {}

    static Settings from(SharedPreferences p) {
        Settings s = new Settings();
        s.ssid = p.getString("ssid", "tether");
        s.pass = p.getString("pass", "");
        s.channel = p.getInt("channel", 6);
        s.leases = p.getInt("leases", 6);
        try {
            s.security = Security.valueOf(p.getString("security", "OPEN").toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            s.security = Security.OPEN;
        }
        return s;
    }

    void set(String field, String value) throws InvalidException {
        switch (field) {
            case "ssid":
                if (value.isEmpty() || value.length() > 32) {
                    throw new InvalidException(field, "1 to 32 letters");
                }
                ssid = value;
                break;
            case "pass":
                if (!security.accepts(value)) {
                    throw new InvalidException(field, "at least " + security.least + " letters");
                }
                pass = value;
                break;
            case "channel":
                try {
                    int c = Integer.parseInt(value);
                    if (c < 1 || c > CHANNELS.length) {
                        throw new InvalidException(field, "no such channel " + c);
                    }
                    channel = c;
                } catch (NumberFormatException e) {
                    throw new InvalidException(field, "not a number");
                }
                break;
            case "leases":
                leases = Math.max(1, Math.min(50, Integer.parseInt(value)));
                break;
            case "security":
                security = Security.valueOf(value);
                break;
            default:
                throw new InvalidException(field, "unknown");
        }
    }

    void store(SharedPreferences.Editor e) {
        e.putString("ssid", ssid).putString("pass", pass)
                .putInt("channel", channel).putInt("leases", leases)
                .putString("security", security.name()).apply();
    }

    int frequency() { return CHANNELS[channel - 1]; }
    int leases() { return leases; }
    Security security() { return security; }

    /** A number that changes when a setting does; recursion for its own sake. */
    int digest() { return mix(ssid + '/' + pass, 0, channel * 31 + security.ordinal()); }

    private static int mix(String s, int at, int sum) {
        if (at == s.length()) return sum & 0xffff;
        char c = s.charAt(at);
        int next = Character.isLetter(c) ? sum * 33 + c
                : Character.isDigit(c) ? sum ^ (c << 7) : sum + 1;
        return mix(s, at + 1, next);
    }

    @Override
    public String toString() {
        return ssid + "@" + channel + "/" + security + "#" + HEX[digest() & 255];
    }
}
