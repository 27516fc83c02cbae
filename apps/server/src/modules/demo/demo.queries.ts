import type { Queryable } from '../../platform/database/database.ts'
import type { Row } from '../../platform/database/column-types.ts'

/** The only demo of the shop. `percent` is how much of it is made, from 0 to 100. */
export type DemoRow = Pick<Row<'demos'>, 'id' | 'state' | 'percent'>

/** A worker without a heartbeat for this many seconds is treated as dead. */
const DEAD_AFTER_SECONDS = 30

/** Returns the demo of the shop in whatever state, or null if there is none. */
export async function findDemo(sql: Queryable): Promise<DemoRow | null> {
  const [row] = await sql<DemoRow[]>`select id, state, percent from demos`
  return row ?? null
}

/** Whether the demo can be visited. */
export async function isReady(sql: Queryable, id: string): Promise<boolean> {
  const [row] = await sql<{ id: string }[]>`select id from demos where id = ${id} and state = 'ready'`
  return row !== undefined
}

/** Adds the row of a demo that this worker makes. Returns false if there is a demo already. */
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

/** Writes how much of the demo is ready, as a heartbeat. Returns false if the demo is no longer made by this worker. */
export async function noteProgress(
  sql: Queryable,
  { id, worker, percent }: { id: string; worker: string; percent: number },
): Promise<boolean> {
  const rows = await sql<{ id: string }[]>`
    update demos set percent = ${percent}, worked_at = now()
    where id = ${id} and worker = ${worker} and state = 'making' returning id`
  return rows.length > 0
}

/** Writes a heartbeat of the worker that removes a demo. */
export async function noteRemoval(sql: Queryable, worker: string): Promise<void> {
  await sql`update demos set worked_at = now() where worker = ${worker} and state = 'removing'`
}

/** Ends the making. Returns false if the demo is no longer made by this worker. */
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
 * Takes over a demo whose worker has died while it made or removed the demo: the demo is then removed. With `isAlone`,
 * there is no other server, so every other worker is dead. Returns the id, or null if there is no such demo.
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

/** Forgets a demo after its removal. */
export async function deleteDemo(sql: Queryable, id: string): Promise<void> {
  await sql`delete from demos where id = ${id} and state = 'removing'`
}

/** Forgets a failed demo, so that the dashboard offers a new one. */
export async function deleteFailedDemo(sql: Queryable): Promise<void> {
  await sql`delete from demos where state = 'failed'`
}
