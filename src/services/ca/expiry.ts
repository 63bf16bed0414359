/** How early things are done or said, so that nothing lapses. */

const dayMs = 24 * 60 * 60 * 1000;

/** Lists that agents use are signed again half a year before they lapse: agents fetch them once a day or never. */
export const crlRenewalMs = 183 * dayMs;

/** Entries stay on the list for a week after the certificate's end, for clocks that are behind. */
export const pruneAfterMs = 7 * dayMs;

/** How long before the end of an authority people are warned: replacing one takes planning. */
export const authorityWarningMs = 180 * dayMs;
