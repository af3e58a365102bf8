package differential;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What the scenarios of a class are about, and the rows that their titles carry. `javaScenarios.ts` reads it from the source. */
@Retention(RetentionPolicy.SOURCE)
@interface Area {
    String title();

    String rows();

    /** Needs brokers where ACLs decide. */
    boolean secured() default false;
}
