package retryproof.oracle;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** The fields of a command, each of which is what it has to be or is told to be something else. */
public final class Command {
    private final JsonNode fields;

    public Command(JsonNode fields) {
        this.fields = fields;
    }

    /** Refuses fields that the command does not have. */
    public void allowOnly(String... names) throws BadCommand {
        List<String> known = Arrays.asList(names);
        for (Iterator<String> found = fields.fieldNames(); found.hasNext();) {
            String name = found.next();
            if (!known.contains(name)) {
                throw new BadCommand("there is no field \"" + name + "\" here, but " + String.join(", ", known));
            }
        }
    }

    public boolean has(String name) {
        return fields.has(name);
    }

    public String text(String name) throws BadCommand {
        JsonNode field = required(name);
        if (!field.isTextual()) {
            throw new BadCommand("\"" + name + "\" is a string");
        }
        return field.textValue();
    }

    /** One of these words, which are the names of the constants in lower case. */
    public <E extends Enum<E>> E word(String name, E otherwise) throws BadCommand {
        if (!has(name)) {
            return otherwise;
        }
        String given = text(name);
        E[] all = otherwise.getDeclaringClass().getEnumConstants();
        List<String> words = Arrays.stream(all).map(it -> it.name().toLowerCase(Locale.ROOT)).toList();
        if (!words.contains(given)) {
            throw new BadCommand("\"" + name + "\" is one of " + String.join(", ", words) + ", not " + given);
        }
        return all[words.indexOf(given)];
    }

    public boolean flag(String name) throws BadCommand {
        JsonNode field = fields.path(name);
        if (!field.isMissingNode() && !field.isBoolean()) {
            throw new BadCommand("\"" + name + "\" is true or false");
        }
        return field.asBoolean();
    }

    /** A number within these bounds. */
    public long number(String name, long least, long most) throws BadCommand {
        JsonNode field = required(name);
        if (!field.canConvertToExactIntegral() || !field.canConvertToLong()) {
            throw new BadCommand("\"" + name + "\" is an integer of 64 bits");
        }
        long number = field.longValue();
        if (number < least || number > most) {
            throw new BadCommand("\"" + name + "\" is from " + least + " to " + most + ", not " + number);
        }
        return number;
    }

    /** A number within these bounds, or this one if there is none. */
    public long number(String name, long least, long most, long otherwise) throws BadCommand {
        return has(name) ? number(name, least, most) : otherwise;
    }

    /** A number of 32 bits within these bounds. */
    public int integer(String name, int least, int most) throws BadCommand {
        return (int) number(name, least, most);
    }

    /** A number of 32 bits within these bounds, or this one if there is none. */
    public int integer(String name, int least, int most, int otherwise) throws BadCommand {
        return (int) number(name, least, most, otherwise);
    }

    /** A list of numbers of 32 bits within these bounds. It may be empty. */
    public List<Integer> integers(String name, int least, int most) throws BadCommand {
        JsonNode field = required(name);
        List<Integer> integers = new ArrayList<>();
        for (JsonNode item : field) {
            if (!item.isInt() || item.intValue() < least || item.intValue() > most) {
                throw new BadCommand("\"" + name + "\" is a list of integers from " + least + " to " + most);
            }
            integers.add(item.intValue());
        }
        if (!field.isArray()) {
            throw new BadCommand("\"" + name + "\" is a list of integers");
        }
        return integers;
    }

    /** A list of objects. */
    public List<Command> list(String name) throws BadCommand {
        JsonNode field = required(name);
        List<Command> items = new ArrayList<>();
        for (JsonNode item : field) {
            if (!item.isObject()) {
                throw new BadCommand("\"" + name + "\" is a list of objects");
            }
            items.add(new Command(item));
        }
        if (!field.isArray() || items.isEmpty()) {
            throw new BadCommand("\"" + name + "\" is a list of at least one object");
        }
        return items;
    }

    private JsonNode required(String name) throws BadCommand {
        JsonNode field = fields.get(name);
        if (field == null) {
            throw new BadCommand("\"" + name + "\" is missing");
        }
        return field;
    }
}
