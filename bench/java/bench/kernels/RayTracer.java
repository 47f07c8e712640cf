package bench.kernels;

import bench.Rng;
import bench.Sum;
import bench.Workload;

/** Renders spheres over a chequered floor, with shadows and reflections. */
public final class RayTracer implements Workload {
    private static final int DEPTH = 4;

    private static final class Vec {
        final double x, y, z;

        Vec(double x, double y, double z) {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        Vec plus(Vec o, double factor) {
            return new Vec(x + factor * o.x, y + factor * o.y, z + factor * o.z);
        }

        double dot(Vec o) {
            return x * o.x + y * o.y + z * o.z;
        }

        Vec unit() {
            double length = Math.sqrt(dot(this));
            return new Vec(x / length, y / length, z / length);
        }
    }

    /** Something that light meets. */
    private abstract static class Thing {
        /** How far along the ray it is met; negative: never. */
        abstract double meet(Vec from, Vec to);

        abstract Vec normal(Vec at);

        abstract double colour(Vec at);

        abstract double mirror();
    }

    private static final class Sphere extends Thing {
        private final Vec centre;
        private final double radius;
        private final double colour;
        private final double mirror;

        Sphere(Vec centre, double radius, double colour, double mirror) {
            this.centre = centre;
            this.radius = radius;
            this.colour = colour;
            this.mirror = mirror;
        }

        @Override
        double meet(Vec from, Vec to) {
            Vec d = centre.plus(from, -1);
            double along = d.dot(to);
            if (along < 0) return -1;
            double gap = radius * radius - (d.dot(d) - along * along);
            if (gap < 0) return -1;
            double t = along - Math.sqrt(gap);
            return t > 1e-6 ? t : -1;
        }

        @Override
        Vec normal(Vec at) {
            return at.plus(centre, -1).unit();
        }

        @Override
        double colour(Vec at) {
            return colour;
        }

        @Override
        double mirror() {
            return mirror;
        }
    }

    private static final class Floor extends Thing {
        private static final Vec UP = new Vec(0, 1, 0);

        @Override
        double meet(Vec from, Vec to) {
            if (to.y > -1e-9) return -1;
            return -(from.y + 2) / to.y;
        }

        @Override
        Vec normal(Vec at) {
            return UP;
        }

        @Override
        double colour(Vec at) {
            return ((int) Math.floor(at.x) + (int) Math.floor(at.z) & 1) == 0 ? 0.9 : 0.2;
        }

        @Override
        double mirror() {
            return 0.1;
        }
    }

    private Thing[] things;
    private final Vec light = new Vec(0.4, 0.8, -0.45).unit();

    @Override
    public String run(int size, long seed) {
        Rng rng = new Rng(seed);
        things = new Thing[17];
        things[0] = new Floor();
        for (int i = 1; i < things.length; i++) {
            Vec centre = new Vec(rng.unit() * 6 - 3, rng.unit() * 3 - 1.5, 4 + rng.unit() * 5);
            things[i] = new Sphere(centre, 0.3 + 0.5 * rng.unit(), 0.3 + 0.7 * rng.unit(),
                                   rng.unit() < 0.5 ? 0.5 : 0);
        }
        Vec eye = new Vec(0, 0, 0);
        long total = 0;
        Sum sum = new Sum();
        for (int y = 0; y < size; y++) {
            long row = 0;
            for (int x = 0; x < size; x++) {
                Vec to = new Vec(2.0 * x / size - 1, 1 - 2.0 * y / size, 1).unit();
                row += (long) (255 * Math.min(1, shade(eye, to, DEPTH)));
            }
            total += row;
        }
        sum.add((double) total);
        return sum.toString();
    }

    private double shade(Vec from, Vec to, int depth) {
        Thing hit = null;
        double nearest = 1e9;
        for (Thing t : things) {
            double d = t.meet(from, to);
            if (d > 0 && d < nearest) {
                nearest = d;
                hit = t;
            }
        }
        if (hit == null) return 0.3 + 0.3 * Math.max(0, to.y);
        Vec at = from.plus(to, nearest);
        Vec normal = hit.normal(at);
        double bright = 0.15;
        double facing = normal.dot(light);
        if (facing > 0 && !shadowed(at.plus(normal, 1e-4))) bright += 0.85 * facing;
        double colour = hit.colour(at) * bright;
        double mirror = hit.mirror();
        if (mirror > 0 && depth > 0) {
            Vec back = to.plus(normal, -2 * normal.dot(to));
            colour = (1 - mirror) * colour + mirror * shade(at.plus(normal, 1e-4), back, depth - 1);
        }
        return colour;
    }

    private boolean shadowed(Vec at) {
        for (Thing t : things) {
            if (t.meet(at, light) > 0) return true;
        }
        return false;
    }
}
