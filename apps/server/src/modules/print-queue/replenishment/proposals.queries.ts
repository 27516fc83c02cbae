import type { ReplenishmentSchedule } from '@pegasus/contracts/print-queue/replenishment'
import { v7 as uuidv7 } from 'uuid'
import type { Row } from '../../../platform/database/column-types.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import type { Fragment } from '../../../platform/database/search-patterns.ts'

/** Number of days during which a dismissed item is not proposed again, unless more of its pieces are missing. */
const DISMISSED_DAYS = 7

export type ProposalState = 'open' | 'accepted' | 'dismissed'

export type ProposalRow = Row<'replenishment_proposals', 'id' | 'item_id' | 'proposed_at'> & {
  state: ProposalState | 'settled'
  item_name: string
}

export async function readSchedule(sql: Queryable): Promise<ReplenishmentSchedule> {
  const [row] = await sql<[ReplenishmentSchedule]>`select hour, time_zone from replenishment_schedule`
  return row
}

/** Returns the schedule, locked until the transaction ends. */
export async function lockSchedule(tx: Queryable): Promise<ReplenishmentSchedule> {
  const [row] = await tx<
    [ReplenishmentSchedule]
  >`select hour, time_zone from replenishment_schedule for update`
  return row
}

export async function saveSchedule(tx: Queryable, schedule: ReplenishmentSchedule): Promise<void> {
  await tx`update replenishment_schedule set hour = ${schedule.hour}, time_zone = ${schedule.time_zone}`
}

export async function findLastNight(sql: Queryable): Promise<string | null> {
  const [row] = await sql<[{ ran_at: string | null }]>`select max(ran_at) as ran_at from replenishment_nights`
  return row.ran_at
}

export async function isNightDone(sql: Queryable, night: string): Promise<boolean> {
  const rows = await sql`select from replenishment_nights where night = ${night}`
  return rows.length > 0
}

/**
 * Marks the proposals of a night as made. Returns false if they were already made. A concurrent call waits until this
 * transaction ends.
 */
export async function claimNight(tx: Queryable, night: string, now: Date): Promise<boolean> {
  const rows = await tx`
    insert into replenishment_nights (night, ran_at) values (${night}, ${now})
    on conflict (night) do nothing returning night`
  return rows.length > 0
}

/** An item with the number of pieces that are missing and not yet queued. */
export interface MissingPieces {
  itemId: string
  missing: number
}

/** The numbers of proposals that one run has added, changed and closed. */
export interface ProposalCounts {
  added: number
  changed: number
  closed: number
}

/**
 * SQL condition that an item is left out of the proposals, because a person recently dismissed at least as many missing
 * pieces.
 */
export const isDismissed = (
  sql: Queryable,
  { itemId, missing, now }: { itemId: Fragment; missing: Fragment; now: Date },
): Fragment => sql`
  exists (
    select from replenishment_proposals d
    where d.item_id = ${itemId} and d.state = 'dismissed' and d.missing >= ${missing}
      and d.decided_at > ${now}::timestamptz - make_interval(days => ${sql.literal(DISMISSED_DAYS)}))`

/**
 * Saves one open proposal for each item, or updates the open one. An item that was dismissed in the last seven days is
 * left out, unless more of its pieces are missing now. Returns how many proposals were added and changed.
 */
export async function saveProposals(
  tx: Queryable,
  items: readonly MissingPieces[],
  now: Date,
): Promise<Omit<ProposalCounts, 'closed'>> {
  const saved = await tx<{ is_new: boolean }[]>`
    insert into replenishment_proposals as o (id, item_id, state, missing, proposed_at)
    select p.id, p.item_id, 'open', p.missing, ${now}
    from unnest(${items.map(() => uuidv7())}::uuid[], ${items.map(({ itemId }) => itemId)}::uuid[],
                ${items.map(({ missing }) => missing)}::integer[]) as p (id, item_id, missing)
    where not ${isDismissed(tx, { itemId: tx`p.item_id`, missing: tx`p.missing`, now })}
    on conflict (item_id) where state = 'open' do update set missing = excluded.missing
      where o.missing <> excluded.missing
    returning xmax = 0 as is_new`
  const added = saved.filter((row) => row.is_new).length
  return { added, changed: saved.length - added }
}

/** Closes the open proposals of all items outside `lowItemIds`. Returns how many were closed. */
export async function settleProposals(
  tx: Queryable,
  lowItemIds: readonly string[],
  now: Date,
): Promise<number> {
  const settled = await tx`
    update replenishment_proposals set state = 'settled', decided_at = ${now}
    where state = 'open' and item_id <> all (${[...lowItemIds]}::uuid[])
    returning id`
  return settled.length
}

const columns = (sql: Queryable) => sql`p.id, p.item_id, p.proposed_at, p.state, i.name as item_name`

export const listOpenProposals = (sql: Queryable): Promise<ProposalRow[]> =>
  sql<ProposalRow[]>`
    select ${columns(sql)} from replenishment_proposals p join printed_items i on i.id = p.item_id
    where p.state = 'open'`

/** Returns these proposals, locked in the order of their ids. */
export const lockProposals = (tx: Queryable, ids: readonly string[]): Promise<ProposalRow[]> =>
  tx<ProposalRow[]>`
    select ${columns(tx)} from replenishment_proposals p join printed_items i on i.id = p.item_id
    where p.id = any (${[...ids]}::uuid[]) order by p.id for update of p`

/** Sets the state of proposals. For accepted proposals, `jobIds` contains their new jobs in the same order. */
export async function decideProposals(
  tx: Queryable,
  ids: readonly string[],
  { state, now, jobIds }: { state: ProposalState; now: Date; jobIds?: readonly string[] },
): Promise<void> {
  await tx`
    update replenishment_proposals p set state = ${state}, decided_at = ${state === 'open' ? null : now},
      print_job_id = d.job_id
    from unnest(${[...ids]}::uuid[], ${jobIds ? [...jobIds] : ids.map(() => null)}::uuid[]) as d (id, job_id)
    where p.id = d.id`
}

/** Returns those of these items that have an open proposal. */
export async function findOpenItems(tx: Queryable, itemIds: readonly string[]): Promise<string[]> {
  const rows = await tx<{ item_id: string }[]>`
    select item_id from replenishment_proposals where state = 'open' and item_id = any (${[...itemIds]}::uuid[])`
  return rows.map(({ item_id: id }) => id)
}
