import * as z from 'zod/mini'
import { declareEndpoints } from './endpoint.ts'
import { nullable } from './fields.ts'
import { ORDER_STEPS } from './orders/order-steps.ts'

const { get } = declareEndpoints('search')

/** Kinds of objects that the search over all modules can find, in the order of the response. */
export const HIT_KINDS = [
  'model',
  'item',
  'order',
  'customer',
  'job',
  'spool',
  'printer',
  'location',
  'product',
  'account',
] as const
export type HitKind = (typeof HIT_KINDS)[number]

export const SEARCH_MAX_LENGTH = 100
/** Maximum number of matches of each kind. The best matches are returned. */
export const HITS_OF_A_KIND = 5

/** The actions on an order: its next steps, and `print`, which queues prints for its missing pieces. */
const ORDER_ACTIONS = [...ORDER_STEPS, 'print'] as const
export type OrderAction = (typeof ORDER_ACTIONS)[number]

const searchHit = z.object({
  kind: z.enum(HIT_KINDS),
  /** The id of the entity. For a customer, it is the name. */
  id: z.string(),
  title: z.string(),
  /** Text that distinguishes entities with the same title, such as a SKU, a customer or a state. */
  detail: nullable.text,
  /** The picture of a model. Null for everything else. */
  picture_path: nullable.text,
  /** Whether the pieces of an order are in stock. False for everything else. */
  ready_to_pack: z.boolean(),
  /**
   * The actions that are possible for an order now, for people who may change orders. Empty for everything else.
   */
  actions: z.array(z.enum(ORDER_ACTIONS)),
})
export type SearchHit = z.output<typeof searchHit>

export const searchEverything = get('/api/search', 'signed-in', {
  summary:
    'Models, items, orders, customers, jobs, spools, printers, locations, products and accounts that match the words',
  query: z.object({
    /** Accents and case are ignored. If no object contains the typed words, words with one or two typos also match. */
    search: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'search must not be empty'),
        z.maxLength(SEARCH_MAX_LENGTH, `search can have at most ${SEARCH_MAX_LENGTH} characters`),
      ),
  }),
  /** At most `HITS_OF_A_KIND` of each kind, grouped by kind. Accounts are listed for administrators only. */
  returns: z.object({ hits: z.array(searchHit) }),
})
