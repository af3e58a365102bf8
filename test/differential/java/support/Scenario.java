package differential;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** What the scenario shows. `javaScenarios.ts` reads it from the source. */
@Retention(RetentionPolicy.SOURCE)
@interface Scenario {
    String value();
}
