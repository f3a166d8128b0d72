/** Where PostgreSQL notifies of deliveries that became due: a hint to look now, never a promise. */
export const deliveriesChannel = 'proofmark_deliveries';
