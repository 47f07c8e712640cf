package org.example.tether;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The simulated network: clients come, talk and go. */
public class Network {
    private static final String[] NAMES =
            {"ada", "bob", "cleo", "dan", "eve", "finn", "gus", "hal", "ida"};
    private static final int[] PORTS =
            {443, 443, 443, 443, 80, 80, 53, 53, 22, 25, 8080, 67, 5000, 6667};

    private final ClientTable clients = new ClientTable();
    private final Settings settings;
    private final EventBus bus;
    private final Routes routes = new Routes();
    private final Random random = new Random(42);
    private final Filter.Chain filter =
            new Filter.Chain(new Filter.Sanity(), new Filter.Ports(25, 6667),
                    new Filter.Rate(9000), new Filter.Open());
    private Leases leases;
    private ExecutorService pool;
    private long passed;
    private long dropped;

    Network(Settings settings, EventBus bus) {
        this.settings = settings;
        this.bus = bus;
        routes.add("0.0.0.0/0", "mobile");
        routes.add("10.0.0.0/8", "vpn");
        routes.add("192.168.2.0/24", "wifi");
        routes.add("224.0.0.0/4", "drop");
    }

    ClientTable clients() { return clients; }
    Settings settings() { return settings; }
    boolean up() { return leases != null; }

    void start() {
        if (up()) throw new IllegalStateException("already up");
        if (settings.security() == Settings.Security.WEP) {
            throw new UnsupportedOperationException("WEP is gone");
        }
        leases = new Leases(settings.leases());
        pool = Executors.newFixedThreadPool(3);
    }

    void stop() {
        if (!up()) return;
        try {
            for (Client c : clients) leases.give(c);
            while (clients.size() > 0) clients.remove(clients.iterator().next().mac);
        } finally {
            leases = null;
            pool.shutdown();
            pool = null;
        }
    }

    /** One device asks to join. */
    Client join() {
        int mac = random.nextInt(40);
        Client c = new Client(mac, NAMES[mac % NAMES.length] + mac);
        if (!clients.add(c)) return clients.find(mac);
        try {
            leases.take(c);
            bus.fire("joined", c);
            return c;
        } catch (Leases.ExhaustedException e) {
            clients.remove(mac);
            bus.fire("refused", e.getMessage());
            return null;
        } catch (NullPointerException e) {
            clients.remove(mac);
            return null;
        }
    }

    boolean kick(Client c) {
        if (!clients.remove(c.mac)) return false;
        leases.give(c);
        bus.fire("left", c);
        return true;
    }

    private Packet packet(Client c, Random r) {
        int to = r.nextInt(4) == 0 ? Address.BASE | 100 + r.nextInt(6) : r.nextInt();
        int protocol =
                r.nextInt(8) == 0 ? Packet.ICMP : r.nextInt(3) == 0 ? Packet.UDP : Packet.TCP;
        int port = PORTS[r.nextInt(PORTS.length)];
        return new Packet(c.address, to, protocol, port, r.nextInt(1600) - 20);
    }

    /** Lets each client send some packets; returns the messages of the network. */
    String traffic(int each) {
        StringBuilder said = new StringBuilder();
        for (Client c : clients.sorted(null)) {
            c.grow();
            int http = 0, other = 0;
            for (int i = 0; i < each; i++) {
                Packet p = packet(c, random);
                if (filter.judge(p) == Filter.Verdict.DROP) {
                    dropped++;
                    continue;
                }
                String route = routes.find(p.to);
                if (route.equals("drop")) {
                    dropped++;
                } else {
                    c.count(p.size, route.equals("mobile"));
                    passed++;
                    if (p.kind().startsWith("http")) http++;
                    else other++;
                }
            }
            if (http + other > 0) {
                said.append(c.name).append('=').append(http).append('/').append(other).append(' ');
            }
        }
        return said.toString().trim();
    }

    /** Scans all clients on the worker threads; the answers come in the order of the clients. */
    List<String> scan() throws InterruptedException {
        List<Future<String>> asked = new ArrayList<>();
        for (final Client c : clients.sorted(Client.BY_NAME)) asked.add(pool.submit(new Scan(c)));
        List<String> said = new ArrayList<>();
        for (Future<String> f : asked) {
            try {
                said.add(f.get());
            } catch (ExecutionException e) {
                said.add(e.getCause().getClass().getSimpleName() + " " + e.getCause().getMessage());
            }
        }
        return said;
    }

    private static final class Scan implements Callable<String> {
        private final Client client;

        Scan(Client c) { client = c; }

        @Override
        public String call() throws Exception {
            StringBuilder open = new StringBuilder(client.name);
            int x = client.mac * 7919 + 13;
            for (int port = 1; port < 200; port++) {
                x = x * 1103515245 + 12345;
                if ((x >>> 16) % 61 == 0) open.append(' ').append(port);
            }
            if (client.mac % 11 == 5) {
                throw new java.io.IOException("no answer from " + client.name);
            }
            return open.toString();
        }
    }

    @Override
    public String toString() {
        return clients.size() + " clients, passed " + passed + " dropped " + dropped
                + " errors " + filter.errors + ", leases " + leases;
    }
}
