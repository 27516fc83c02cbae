import * as z from 'zod/mini'
import { declareEndpoints } from '../endpoint.ts'
import { nullable, timestamp, wholeNumber } from '../fields.ts'
import { MAX_JOB_QUANTITY, printJob } from './jobs.ts'
import { platePlan } from './plate-plan.ts'

/**
 * Restocking: items at their reorder point, and nightly proposals about what to print for the stock. A person accepts,
 * changes or dismisses a proposal; nothing starts by itself.
 */
const { get, list, post, put } = declareEndpoints('inventory')

export const MAX_PROPOSALS = 1000

/**
 * An item whose free pieces are at or below its reorder point. `target` is the number of pieces that should be in
 * stock. If more pieces are missing than one print job can have, the plates are those of one full job. The rest is
 * proposed after that job was queued.
 */
export const replenishmentLine = z.object({
  ...platePlan,
  inventory_item_id: z.uuid(),
  reorder_point: z.number(),
  target: z.number(),
})
export type ReplenishmentLine = z.output<typeof replenishmentLine>

export const listReplenishment = list('/api/inventory/replenishment', 'staff', {
  summary:
    'Items whose free pieces are at or below their reorder point, by name, and the plates that would restock them',
  of: replenishmentLine,
})

export const makeReplenishment = post('/api/inventory/replenishment', 'staff', {
  summary:
    'Queue the print jobs of the proposals, or of some items; a repeated call queues only the pieces that are still missing (200: none)',
  body: z.nullish(
    z.object({
      /** The default is all items of the list. */
      inventory_item_ids: z.optional(
        z.array(z.uuid('inventory_item_ids must contain only ids')).check(z.maxLength(1000)),
      ),
    }),
  ),
  creates: z.object({ items: z.array(replenishmentLine), jobs: z.array(printJob) }),
  alternative: 200,
  errors: ['MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

const replenishmentSchedule = z.object({
  /** The hour of the day from which proposals are made. Null means that none are made automatically. */
  hour: nullable.number,
  /** The time zone of `hour`, such as `Europe/Berlin`. */
  time_zone: z.string(),
})
export type ReplenishmentSchedule = z.output<typeof replenishmentSchedule>

/** A proposed item, calculated with the current stock. */
const proposal = z.extend(replenishmentLine, {
  id: z.uuid(),
  proposed_at: timestamp,
  color_hex: nullable.text,
  stl_thumbnail_path: nullable.text,
})
export type ReplenishmentProposal = z.output<typeof proposal>

const proposals = z.object({
  schedule: replenishmentSchedule,
  /** When proposals were last made at night. */
  last_night_at: nullable.timestamp,
  /** Undecided proposals whose pieces are still missing, sorted by name. */
  proposals: z.array(proposal),
})
export type ReplenishmentProposals = z.output<typeof proposals>

const PROPOSALS = '/api/inventory/replenishment/proposals'

export const listReplenishmentProposals = get(PROPOSALS, 'staff', {
  summary: 'Proposals of the last nights that would refill the stock and that nobody has decided on',
  returns: proposals,
})

export const proposeReplenishment = post(PROPOSALS, 'staff', {
  summary:
    'Propose prints for all low items now, as in the nightly run; an item that was dismissed in the last week is proposed only if more of its pieces are missing',
  returns: proposals,
  errors: ['MALFORMED_REQUEST', 'IDEMPOTENCY_KEY_REUSED'],
})

const proposalIds = z
  .array(z.uuid('ids must contain only ids'))
  .check(z.minLength(1, 'ids must name at least one proposal'), z.maxLength(MAX_PROPOSALS))

export const acceptReplenishmentBody = z.object({
  items: z
    .array(
      z.object({
        id: z.uuid('id is not an id'),
        /** The default is the number of pieces that are missing now, but at most as many as a print job can have. */
        quantity: z.optional(wholeNumber('quantity', 1, MAX_JOB_QUANTITY)),
      }),
    )
    .check(
      z.minLength(1, 'items must name at least one proposal'),
      z.maxLength(MAX_PROPOSALS),
      z.refine(
        (items) => new Set(items.map(({ id }) => id)).size === items.length,
        'Name each proposal only once.',
      ),
    ),
})
export type AcceptReplenishmentBody = z.output<typeof acceptReplenishmentBody>

const DECISION_ERRORS = ['PROPOSAL_NOT_FOUND', 'PROPOSAL_DECIDED', 'MALFORMED_REQUEST'] as const

export const acceptReplenishment = post(`${PROPOSALS}/accept`, 'staff', {
  summary: 'Queue the print jobs of proposals, optionally with another number of pieces',
  body: acceptReplenishmentBody,
  creates: z.object({ jobs: z.array(printJob) }),
  errors: [...DECISION_ERRORS, 'ITEM_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'],
})

const idsBody = z.object({ ids: proposalIds })

export const dismissReplenishment = post(`${PROPOSALS}/dismiss`, 'staff', {
  summary: 'Dismiss proposals; for a week their items are proposed again only if more pieces are missing',
  body: idsBody,
  returns: proposals,
  errors: DECISION_ERRORS,
})

export const restoreReplenishment = post(`${PROPOSALS}/restore`, 'staff', {
  summary: 'Restore dismissed proposals',
  body: idsBody,
  returns: proposals,
  errors: DECISION_ERRORS,
})

export const replenishmentScheduleBody = z.object({
  hour: z.nullable(wholeNumber('hour', 0, 23)),
  time_zone: z.string().check(z.minLength(1), z.maxLength(64, 'time_zone is not a known time zone')),
})

export const updateReplenishmentSchedule = put('/api/inventory/replenishment/schedule', 'admin', {
  summary: 'Set the hour from which nightly proposals are made',
  body: replenishmentScheduleBody,
  returns: replenishmentSchedule,
  errors: ['MALFORMED_REQUEST'],
})
