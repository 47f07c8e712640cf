package org.example.tether;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The clients, in a hash table of our own so that its loops are ours too. */
public class ClientTable implements Iterable<Client> {
    private static final class Node {
        final Client client;
        Node next;

        Node(Client c, Node n) {
            client = c;
            next = n;
        }
    }

    private Node[] buckets = new Node[4];
    private int size;
    private int version;

    private int bucket(int mac) { return (mac ^ mac >>> 7) & buckets.length - 1; }

    synchronized Client find(int mac) {
        for (Node n = buckets[bucket(mac)]; n != null; n = n.next) {
            if (n.client.mac == mac) return n.client;
        }
        return null;
    }

    synchronized boolean add(Client c) {
        if (find(c.mac) != null) return false;
        if (size >= buckets.length * 2) grow();
        int b = bucket(c.mac);
        buckets[b] = new Node(c, buckets[b]);
        size++;
        version++;
        return true;
    }

    private void grow() {
        Node[] old = buckets;
        buckets = new Node[old.length * 2];
        for (Node n : old) {
            while (n != null) {
                Node next = n.next;
                int b = bucket(n.client.mac);
                n.next = buckets[b];
                buckets[b] = n;
                n = next;
            }
        }
    }

    synchronized boolean remove(int mac) {
        int b = bucket(mac);
        Node before = null;
        for (Node n = buckets[b]; n != null; before = n, n = n.next) {
            if (n.client.mac != mac) continue;
            if (before == null) buckets[b] = n.next;
            else before.next = n.next;
            size--;
            version++;
            return true;
        }
        return false;
    }

    int size() { return size; }

    List<Client> sorted(Comparator<Client> order) {
        List<Client> l = new ArrayList<>();
        for (Client c : this) l.add(c);
        if (order == null) Collections.sort(l);
        else Collections.sort(l, order);
        return l;
    }

    int forgetIdle(int limit) {
        int gone = 0;
        outer:
        while (true) {
            for (Client c : this) {
                if (c.idle() > limit) {
                    remove(c.mac);
                    gone++;
                    continue outer;
                }
            }
            return gone;
        }
    }

    @Override
    public Iterator<Client> iterator() { return new Walk(); }

    private final class Walk implements Iterator<Client> {
        private final int seen = version;
        private int at = -1;
        private Node node;

        Walk() { step(); }

        private void step() {
            if (node != null) node = node.next;
            while (node == null && ++at < buckets.length) node = buckets[at];
        }

        @Override
        public boolean hasNext() { return node != null; }

        @Override
        public Client next() {
            if (seen != version) throw new java.util.ConcurrentModificationException();
            if (node == null) throw new NoSuchElementException();
            Client c = node.client;
            step();
            return c;
        }

        @Override
        public void remove() { throw new UnsupportedOperationException(); }
    }
}
