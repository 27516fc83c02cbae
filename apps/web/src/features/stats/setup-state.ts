import type { Stats } from '@pegasus/contracts/stats'

/** Whether nothing has happened here yet but perhaps the first models: there is nothing to draw, but much to do. */
export const isNewShop = (stats: Stats): boolean =>
  stats.total_inventory === 0 &&
  stats.total_orders === 0 &&
  stats.total_filaments === 0 &&
  stats.print_queue_count === 0 &&
  stats.print_jobs_on_hold === 0
