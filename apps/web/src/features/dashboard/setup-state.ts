import type { Stats } from '@pegasus/contracts/stats'

/** Returns whether the shop has only a few models and no other data, so that charts would be empty. */
export const isNewShop = (stats: Stats): boolean =>
  stats.total_inventory === 0 &&
  stats.total_orders === 0 &&
  stats.total_filaments === 0 &&
  stats.print_queue_count === 0 &&
  stats.print_jobs_on_hold === 0

/**
 * Returns whether a first step is still open: there is no order yet, and models, filament or items are
 * missing.
 */
export const isSettingUp = ({
  total_orders,
  total_files,
  total_filaments,
  total_inventory,
}: Stats): boolean => total_orders === 0 && [total_files, total_filaments, total_inventory].includes(0)
