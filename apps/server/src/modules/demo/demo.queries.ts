import type { Queryable } from '../../platform/database/database.ts'
import type { Row } from '../../platform/database/column-types.ts'

/** The shop's demo, of which there is at most one. `percent` is the progress of making it, from 0 to 100. */
export type DemoRow = Pick<Row<'demos'>, 'id' | 'state' | 'percent'>

/** A process that makes or removes a demo is treated as dead after this many seconds without a heartbeat. */
const DEAD_AFTER_SECONDS = 30

/** Returns the demo of the shop, in any state. Returns null if there is no demo. */
export async function findDemo(sql: Queryable): Promise<DemoRow | null> {
  const [row] = await sql<DemoRow[]>`select id, state, percent from demos`
  return row ?? null
}

/** Returns whether people can visit the demo. */
export async function isReady(sql: Queryable, id: string): Promise<boolean> {
  const [row] = await sql<{ id: string }[]>`select id from demos where id = ${id} and state = 'ready'`
  return row !== undefined
}

/** Adds the row of a demo that this process makes. Returns false if there already is a demo. */
export async function insertDemo(
  tx: Queryable,
  { id, worker }: { id: string; worker: string },
): Promise<boolean> {
  await tx`delete from demos where state = 'failed'`
  const rows = await tx<{ id: string }[]>`
    insert into demos (id, state, worker) values (${id}, 'making', ${worker})
    on conflict do nothing returning id`
  return rows.length > 0
}

/**
 * Stores the progress of making a demo, and a heartbeat of the process. Returns false if this process no longer makes
 * the demo.
 */
export async function noteProgress(
  sql: Queryable,
  { id, worker, percent }: { id: string; worker: string; percent: number },
): Promise<boolean> {
  const rows = await sql<{ id: string }[]>`
    update demos set percent = ${percent}, worked_at = now()
    where id = ${id} and worker = ${worker} and state = 'making' returning id`
  return rows.length > 0
}

/** Stores a heartbeat of the process that removes a demo. */
export async function noteRemoval(sql: Queryable, worker: string): Promise<void> {
  await sql`update demos set worked_at = now() where worker = ${worker} and state = 'removing'`
}

/**
 * Stores that a demo is ready, or that making it has failed. Returns false if this process no longer makes the demo.
 */
export async function endMaking(
  sql: Queryable,
  { id, worker, state }: { id: string; worker: string; state: 'ready' | 'failed' },
): Promise<boolean> {
  const rows = await sql<{ id: string }[]>`
    update demos set state = ${state}, percent = 100, worked_at = now()
    where id = ${id} and worker = ${worker} and state = 'making' returning id`
  return rows.length > 0
}

/** Begins the removal of a demo that is ready. Returns its id, or null if there is none. */
export async function beginRemoval(tx: Queryable, worker: string): Promise<string | null> {
  const [row] = await tx<{ id: string }[]>`
    update demos set state = 'removing', worker = ${worker}, worked_at = now()
    where state = 'ready' returning id`
  return row?.id ?? null
}

/**
 * Takes over a demo whose process has died while making or removing it. The caller must then remove the demo. `isAlone`
 * means that no other server runs, so every other process is dead. Returns the id of the demo, or null if there is
 * none.
 */
export async function takeOverDemo(
  sql: Queryable,
  { worker, isAlone }: { worker: string; isAlone: boolean },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    update demos set state = 'removing', worker = ${worker}, worked_at = now()
    where state in ('making', 'removing')
      and (${isAlone} and worker <> ${worker} or worked_at < now() - make_interval(secs => ${DEAD_AFTER_SECONDS}))
    returning id`
  return row?.id ?? null
}

/** Deletes the row of a demo that was removed. */
export async function deleteDemo(sql: Queryable, id: string): Promise<void> {
  await sql`delete from demos where id = ${id} and state = 'removing'`
}

/** Deletes the row of a failed demo, so that the dashboard offers to make a new one. */
export async function deleteFailedDemo(sql: Queryable): Promise<void> {
  await sql`delete from demos where state = 'failed'`
}
