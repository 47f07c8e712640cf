package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/**
 * Particles under the Lennard-Jones force in a periodic box: velocity Verlet, all pairs, cut off.
 */
public final class MolDyn implements Workload {
    private static final int STEPS = 6;
    private static final double CUT = 2.5;

    private static final class Particle {
        double x, y, z;
        double vx, vy, vz;
        double fx, fy, fz;
    }

    private Particle[] all;
    private double box;
    private double potential;
    private int pairs;

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        int n = size * size * size;
        box = size * 1.3;
        pairs = 0;
        all = new Particle[n];
        for (int i = 0; i < n; i++) {
            Particle p = new Particle();
            p.x = (i % size + 0.1 * rng.unit()) * 1.3;
            p.y = (i / size % size + 0.1 * rng.unit()) * 1.3;
            p.z = (i / size / size + 0.1 * rng.unit()) * 1.3;
            p.vx = rng.unit() - 0.5;
            p.vy = rng.unit() - 0.5;
            p.vz = rng.unit() - 0.5;
            all[i] = p;
        }
        forces();
        double kinetic = 0;
        for (int step = 0; step < STEPS; step++) kinetic = move(0.002);
        Sum sum = new Sum();
        sum.add((long) pairs);
        sum.add(potential);
        sum.add(kinetic);
        all = null;
        return sum.toString();
    }

    private double move(double dt) {
        for (Particle p : all) {
            p.vx += 0.5 * dt * p.fx;
            p.vy += 0.5 * dt * p.fy;
            p.vz += 0.5 * dt * p.fz;
            p.x = wrap(p.x + dt * p.vx);
            p.y = wrap(p.y + dt * p.vy);
            p.z = wrap(p.z + dt * p.vz);
        }
        forces();
        double kinetic = 0;
        for (Particle p : all) {
            p.vx += 0.5 * dt * p.fx;
            p.vy += 0.5 * dt * p.fy;
            p.vz += 0.5 * dt * p.fz;
            kinetic += 0.5 * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
        }
        return kinetic;
    }

    private double wrap(double x) {
        if (x < 0) return x + box;
        if (x >= box) return x - box;
        return x;
    }

    private double nearest(double d) {
        if (d > 0.5 * box) return d - box;
        if (d < -0.5 * box) return d + box;
        return d;
    }

    private void forces() {
        potential = 0;
        for (Particle p : all) p.fx = p.fy = p.fz = 0;
        for (int i = 0; i < all.length; i++) {
            Particle a = all[i];
            for (int j = i + 1; j < all.length; j++) {
                Particle b = all[j];
                double dx = nearest(a.x - b.x);
                double dy = nearest(a.y - b.y);
                double dz = nearest(a.z - b.z);
                double r2 = dx * dx + dy * dy + dz * dz;
                if (r2 < CUT * CUT) {
                    double i2 = 1 / r2;
                    double i6 = i2 * i2 * i2;
                    potential += 4 * i6 * (i6 - 1);
                    double f = 48 * i6 * (i6 - 0.5) * i2;
                    a.fx += f * dx;
                    a.fy += f * dy;
                    a.fz += f * dz;
                    b.fx -= f * dx;
                    b.fy -= f * dy;
                    b.fz -= f * dz;
                    pairs++;
                }
            }
        }
    }
}
