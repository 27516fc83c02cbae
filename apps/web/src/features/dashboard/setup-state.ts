import type { Stats } from '@pegasus/contracts/stats'

/** Whether the shop is empty except for a few models, so that charts would be empty, too. */
export const isNewShop = (stats: Stats): boolean =>
  stats.total_inventory === 0 &&
  stats.total_orders === 0 &&
  stats.total_filaments === 0 &&
  stats.print_queue_count === 0 &&
  stats.print_jobs_on_hold === 0
