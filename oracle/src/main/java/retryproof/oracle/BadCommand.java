package retryproof.oracle;

/** A command that cannot be carried out, with the reason. */
public final class BadCommand extends Exception {
    private static final long serialVersionUID = 1;

    public BadCommand(String reason) {
        super(reason);
    }
}
