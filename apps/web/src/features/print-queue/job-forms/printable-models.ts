import type { InventoryItem } from '@pegasus/contracts/inventory/items'
import type { ListedModel } from '@pegasus/contracts/stl-library/models'
import { t } from '@/lib/i18n/messages.ts'
import { joinFacts } from '@/lib/i18n/join-words.ts'

/** Something that a job can print: an item in stock, or a model without an item. */
export interface Printable {
  kind: 'item' | 'model'
  id: string
  name: string
  caption: string
  picture: string | null
  tint: string | null
  /** The usual material. */
  material: string
  color: string
  /** Weight of one piece; null if unknown. */
  gramsEach: number | null
  /** Id of the model that is printed. Its sliced files state the figures. */
  modelId: string | null
  /** Print time of one print of the item; null if unknown. */
  minutesPerPrint: number | null
  /** Pieces in one print of the item. 1 if unknown. */
  piecesPerPrint: number
}

export const printableItem = (item: InventoryItem): Printable => ({
  kind: 'item',
  id: item.id,
  name: item.name,
  caption: joinFacts([
    item.sku,
    t('{available_quantity} available', { available_quantity: item.available_quantity }),
  ]),
  picture: item.stl_thumbnail_path,
  tint: item.color_hex,
  material: item.material_used ?? '',
  color: item.color ?? '',
  gramsEach: item.weight_grams,
  modelId: item.stl_file_id,
  minutesPerPrint: item.print_time_minutes,
  piecesPerPrint: item.pieces_per_print,
})

export const printableModel = (model: ListedModel): Printable => ({
  kind: 'model',
  id: model.id,
  name: model.title,
  caption: t('Model without an item in stock'),
  picture: model.thumbnail_path,
  tint: null,
  material: model.print_material ?? '',
  color: '',
  gramsEach: null,
  modelId: model.id,
  minutesPerPrint: null,
  piecesPerPrint: 1,
})
