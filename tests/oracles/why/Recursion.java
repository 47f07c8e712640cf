/** A node of a tree lost its child. */
public class Recursion {
    Recursion left;
    final int value;

    Recursion(int value) {
        this.value = value;
    }

    static Recursion chain(int depth) {
        Recursion node = new Recursion(depth);
        if (depth > 0) {
            node.left = chain(depth - 1);
        }
        return node;
    }

    static void cut(Recursion node) {
        node.left.left = null; // cause
    }

    static int sum(Recursion node, int depth) {
        return depth == 0 ? node.value : node.value + sum(node.left, depth - 1);
    }

    public static void main(String[] args) {
        Recursion root = chain(5);
        System.out.println(sum(root, 5));
        cut(root);
        System.out.println(sum(root, 5));
    }
}
