import java.io.*;
import java.lang.management.*;
import weka.classifiers.Classifier;
import weka.core.*;

/** Does what it is told, line by line, with one Weka classifier on one table: fit, predict, or write FILE.
 * It answers with the nanoseconds of processor time of the thread that did it. */
public class WekaDriver {
    public static void main(String[] arguments) throws Exception {
        Instances rows = new Instances(new BufferedReader(new FileReader(arguments[0])));
        rows.setClassIndex(rows.numAttributes() - 1);
        String[] options = Utils.splitOptions(arguments[1]);
        String name = options[0];
        options[0] = "";
        double[][] answers = new double[rows.numInstances()][];
        Classifier model = null;
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in));
        ThreadMXBean clock = ManagementFactory.getThreadMXBean();
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            long start = clock.getCurrentThreadCpuTime();
            if (order.equals("fit")) {
                model = Classifier.forName(name, options.clone());
                model.buildClassifier(rows);
            } else if (order.equals("predict")) {
                for (int i = 0; i < answers.length; i++) answers[i] = model.distributionForInstance(rows.instance(i));
            } else {
                OutputStream file = new BufferedOutputStream(new FileOutputStream(order.substring(6)));
                try (DataOutputStream out = new DataOutputStream(file)) {
                    for (double[] answer : answers) for (double p : answer) out.writeDouble(p);
                }
            }
            System.out.println(clock.getCurrentThreadCpuTime() - start);
        }
    }
}
