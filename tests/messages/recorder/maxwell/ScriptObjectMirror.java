/* Maxwell asks of each value whether it is one of Nashorn's, which Java has not had since version 15. None is. */
package jdk.nashorn.api.scripting;

public abstract class ScriptObjectMirror extends java.util.HashMap<String, Object> {
    public abstract boolean isArray();
}
