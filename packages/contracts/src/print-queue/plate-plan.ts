import * as z from 'zod/mini'
import { nullable } from '../fields.ts'

/** The missing pieces of an order line or item, and the plates that would print them. */
export const platePlan = {
  inventory_item_id: nullable.id,
  name: z.string(),
  sku: nullable.text,
  /** Number of pieces in stock that are free or reserved for this line or item. */
  on_shelf: z.number(),
  /** Number of pieces that unfinished print jobs will still produce. */
  queued: z.number(),
  /** Number of missing pieces for which there is no print job yet. */
  missing: z.number(),
  /** Number of pieces in one print. Null means that one print makes all pieces. */
  pieces_per_plate: nullable.number,
  plates: z.number(),
  /**
   * Number of pieces that are printed in addition, because about this many pieces will probably be rejected. It follows
   * from the share of rejected pieces of this item so far, and is 0 until ten pieces were counted.
   */
  expected_rejects: z.number(),
  /** Number of pieces on the last plate that exceed the missing pieces and the expected rejects. They go into stock. */
  surplus: z.number(),
  /** The calculation as text, such as `10 ordered − 3 on the shelf = 7 → 2 plates of 4 → 1 to stock`. */
  sentence: z.string(),
}
