package org.example.tether;

import java.util.Comparator;

/** A device that uses our connection. */
public class Client implements Comparable<Client> {
    static final Comparator<Client> BY_TRAFFIC = new Comparator<Client>() {
        @Override
        public int compare(Client a, Client b) {
            long x = a.total(), y = b.total();
            return x < y ? 1 : x > y ? -1 : a.compareTo(b);
        }
    };
    static final Comparator<Client> BY_NAME = (a, b) -> a.name.compareTo(b.name);

    final int mac;
    final String name;
    private long sent;
    private long received;
    private int idle;
    int address = -1;

    Client(int mac, String name) {
        this.mac = mac;
        this.name = name;
    }

    synchronized void count(int size, boolean up) {
        idle = 0;
        if (up) sent += size;
        else received += size;
    }

    synchronized long total() { return sent + received; }
    int grow() { return ++idle; }
    int idle() { return idle; }

    @Override
    public int compareTo(Client o) { return Integer.compare(mac, o.mac); }

    @Override
    public boolean equals(Object o) { return o instanceof Client && ((Client) o).mac == mac; }

    @Override
    public int hashCode() { return mac; }

    @Override
    public String toString() { return name + "[" + Address.format(address) + " " + total() + "]"; }
}
