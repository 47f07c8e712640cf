package org.example.tether;

final class Packet {
    static final int TCP = 6, UDP = 17, ICMP = 1;

    final int from;
    final int to;
    final int protocol;
    final int port;
    final int size;

    Packet(int from, int to, int protocol, int port, int size) {
        this.from = from;
        this.to = to;
        this.protocol = protocol;
        this.port = port;
        this.size = size;
    }

    String kind() {
        switch (protocol) {
            case TCP:
                switch (port) {
                    case 22: return "ssh";
                    case 25: return "mail";
                    case 80:
                    case 8080: return "http";
                    case 443: return "https";
                    default: return port < 1024 ? "service" : "tcp";
                }
            case UDP: return port == 53 ? "dns" : port == 67 || port == 68 ? "dhcp" : "udp";
            case ICMP: return "ping";
            default: return "other";
        }
    }
}
