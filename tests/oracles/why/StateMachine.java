/** A transition is missing: the machine stays in a state that refuses the next event. */
public class StateMachine {
    private int state;

    void next(int event) {
        switch (state) {
            case 0:
                state = event == 1 ? 1 : 2; // cause
                break;
            case 1:
                state = 0;
                break;
            default:
                throw new IllegalStateException("state " + state);
        }
    }

    public static void main(String[] args) {
        StateMachine machine = new StateMachine();
        for (int event : new int[] {1, 1, 2, 1}) {
            machine.next(event);
        }
    }
}
