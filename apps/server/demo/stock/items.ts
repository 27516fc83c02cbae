import type { ProductCategory } from '@pegasus/contracts/products/product-rules'
import type { HeldItemStatus } from '@pegasus/contracts/statuses'

/** An item of the shop. */
export interface DemoItem {
  sku: string
  name: string
  /** File name of the item's model. */
  model: string
  filament: string
  priceMinor: number
  opening: number
  reorderPoint: number
  maxStock: number
  /** How often customers buy the item, relative to other items. */
  demand: number
  location: string
  bin: string
  category: ProductCategory
  /** Whether more pieces are printed when the item runs low. */
  isRestocked: boolean
  heldStatus: HeldItemStatus | null
}

type Row = readonly [
  sku: string,
  name: string,
  model: string,
  filament: string,
  priceMinor: number,
  stock: readonly [opening: number, reorder: number, max: number],
  demand: number,
  place: string,
  category: ProductCategory,
  state?: HeldItemStatus | 'discontinued' | undefined,
]

// biome-ignore format: a table is read by its columns
const ROWS: readonly Row[] = [
  ['GEAR-PLN-ORG', 'Planetary Gear Set 4:1, desk toy', 'planetary_gear_set_4-1.stl', 'orange', 2890, [14, 6, 30], 8, 'Workshop / Rack A1 / 01', 'accessories'],
  ['GEAR-PLN-PTL', 'Planetary Gear Set 4:1, petrol', 'planetary_gear_set_4-1.stl', 'petrol', 2890, [8, 4, 20], 4, 'Workshop / Rack A1 / 02', 'accessories'],
  ['LOTUS-CU', 'Lotus Tea Light Holder, silk copper', 'lotus_tealight.stl', 'copper', 2450, [12, 5, 25], 9, 'Workshop / Rack A1 / 03', 'accessories'],
  ['TOWER-CSTL', 'Castle Dice Tower', 'dice_tower_castle_v3.stl', 'bone', 3990, [9, 5, 20], 9, 'Workshop / Rack A2 / 01', 'terrain'],
  ['HEX-RIVER', 'Hex Terrain Tile, river bend', 'hex_tile_river_bend.stl', 'leaf', 1250, [36, 15, 80], 12, 'Workshop / Rack A2 / 02', 'terrain'],
  ['VASE-TW150', 'Twisted Vase 150 mm, crystal clear', 'twisted_vase_150.stl', 'clear', 3450, [8, 4, 18], 6, 'Workshop / Rack A2 / 03', 'other'],
  ['CHESS-SET-W', 'Chess Pieces, plate of six, bone white', 'chess_staunton_plate.stl', 'bone', 2290, [10, 4, 24], 5, 'Workshop / Rack A3 / 01', 'miniatures'],
  ['CHESS-SET-B', 'Chess Pieces, plate of six, charcoal', 'chess_staunton_plate.stl', 'black', 2290, [10, 4, 24], 5, 'Workshop / Rack A3 / 02', 'miniatures'],
  ['ROOK-82', 'Rook, display size 82 mm', 'rook_display_82.stl', 'black', 1890, [6, 3, 12], 2, 'Workshop / Rack A3 / 03', 'miniatures'],
  ['PLANT-F110', 'Faceted Planter with Saucer', 'planter_facet_110.stl', 'grey', 2990, [9, 4, 20], 6, 'Workshop / Rack A3 / 04', 'other'],
  ['KNOT-TREF', 'Trefoil Knot on a Stand', 'trefoil_knot_stand.stl', 'cobalt', 2690, [7, 3, 15], 4, 'Workshop / Rack A1 / 04', 'miniatures'],
  ['LAMP-PLT-27', 'Pleated Lampshade E27', 'lampshade_pleated_e27.stl', 'clear', 4450, [5, 3, 12], 3, 'Workshop / Rack B1 / 01', 'other'],
  ['JAR-60', 'Screw Jar 60 ml with lid', 'screw_jar_60.stl', 'petrol', 1190, [22, 10, 50], 8, 'Workshop / Rack B1 / 02', 'accessories'],
  ['GEAR-H32', 'Helical Gear M2, 32 teeth, bench drill spare', 'helical_gear_m2_z32.stl', 'nylon', 1450, [16, 6, 30], 3, 'Workshop / Rack B1 / 03', 'tools'],
  ['CASE-CTRL-B', 'Controller Case, bottom half', 'controller_case_bottom.stl', 'abs', 1290, [24, 12, 60], 7, 'Workshop / Rack B2 / 01', 'accessories'],
  ['GRILL-80', 'Fan Grill 80 mm', 'fan_grill_80.stl', 'abs', 590, [48, 20, 120], 9, 'Workshop / Rack B2 / 02', 'accessories'],
  ['BIN-3X1-BLK', 'Grid Bin 3 × 1, three cells', 'grid_bin_3x1x6.stl', 'black', 890, [60, 30, 150], 16, 'Workshop / Rack B2 / 03', 'tools'],
  ['BIN-3X1-YEL', 'Grid Bin 3 × 1, maize', 'grid_bin_3x1x6.stl', 'maize', 890, [30, 15, 80], 7, 'Workshop / Rack B2 / 04', 'tools'],
  ['PROP-5X4', 'Propeller 5 × 4, three blades (wind tunnel)', 'prop_5x4_three_blade.stl', 'pc', 790, [30, 12, 60], 3, 'Workshop / Rack B3 / 01', 'accessories'],
  ['HOOK-DBL', 'Double Coat Hook', 'coat_hook_double.stl', 'jet', 990, [26, 12, 60], 8, 'Workshop / Rack B3 / 02', 'accessories'],
  ['PUL-GT2-24', 'GT2 Pulley, 24 teeth, 5 mm bore', 'gt2_pulley_24t.stl', 'nylon', 490, [60, 25, 150], 6, 'Workshop / Rack B3 / 03', 'tools'],
  ['BOLT-KIDS', 'Bolt and Nut for Children', 'bolt_nut_m14.stl', 'maize', 750, [20, 8, 40], 4, 'Workshop / Rack B3 / 04', 'other'],
  ['HINGE-80', 'Hinge 80 mm, print in place', 'hinge_80_print_in_place.stl', 'jet', 850, [28, 14, 70], 6, 'Workshop / Rack C1 / 01', 'tools'],
  ['KNOB-M8', 'Star Knob M8', 'star_knob_m8.stl', 'jet', 420, [70, 30, 200], 9, 'Workshop / Rack C1 / 02', 'tools'],
  ['COMB-WALL', 'Honeycomb Wall Panel', 'honeycomb_wall.stl', 'cobalt', 1150, [18, 10, 50], 7, 'Workshop / Rack C1 / 03', 'tools'],
  ['BRK-70', 'Shelf Bracket 70 mm, pair', 'shelf_bracket_70.stl', 'orange', 1390, [22, 10, 50], 7, 'Workshop / Rack C1 / 04', 'tools'],
  ['STAND-PH', 'Phone Stand', 'phone_stand_slim.stl', 'bone', 1290, [20, 8, 40], 8, 'Workshop / Rack C2 / 01', 'accessories'],
  ['HUB-72', 'Spool Hub 72 mm', 'spool_hub_52.stl', 'orange', 1090, [14, 6, 30], 3, 'Workshop / Rack C2 / 02', 'tools'],
  ['SOAP-OVAL', 'Oval Soap Dish', 'soap_dish_oval.stl', 'petrol', 950, [15, 6, 30], 4, 'Workshop / Rack C2 / 03', 'other'],
  ['HDL-116', 'Bow Handle 116 mm', 'bow_handle_116.stl', 'grey', 890, [24, 10, 50], 4, 'Workshop / Rack C2 / 04', 'accessories'],
  ['KNOB-FLT', 'Fluted Drawer Knob', 'drawer_knob_fluted.stl', 'copper', 590, [30, 12, 60], 4, 'Workshop / Rack C3 / 01', 'accessories'],
  ['WR-1317', 'Open-End Wrench 13 / 17', 'wrench_13_17.stl', 'pc', 1150, [12, 5, 25], 2, 'Workshop / Rack C3 / 02', 'tools'],
  ['COMB-CBL-7', 'Cable Comb, seven slots', 'cable_comb_7.stl', 'tpu', 690, [26, 12, 40], 6, 'Workshop / Rack C3 / 03', 'accessories', 'discontinued'],
  ['FUN-95', 'Funnel with Air Ribs', 'funnel_95.stl', 'pp', 990, [17, 8, 30], 4, 'Workshop / Rack C3 / 04', 'other', 'discontinued'],
  ['BRG-608', 'Ball Bearing 608, printed', '608_bearing_demo.stl', 'nylon', 790, [34, 10, 50], 0, 'Quarantine', 'tools', 'On Hold'],
  ['أخطبوط-01', 'أخطبوط مرن للعرض', 'octopus_flexi.stl', 'lilac', 0, [6, 2, 10], 0, 'Showroom / Window', 'miniatures', 'Reserved'],
]

export const DEMO_ITEMS: readonly DemoItem[] = ROWS.map(
  ([sku, name, model, filament, priceMinor, stock, demand, place, category, state]) => {
    const [bin = '', ...path] = place.split(' / ').toReversed()
    const [opening, reorderPoint, maxStock] = stock
    const isBin = path.length > 1
    return {
      sku,
      name,
      model,
      filament,
      priceMinor,
      opening,
      reorderPoint,
      maxStock,
      demand,
      location: isBin ? path.toReversed().join(' / ') : place,
      bin: isBin ? bin : '',
      category,
      isRestocked: state === undefined,
      heldStatus: state === 'discontinued' || state === undefined ? null : state,
    }
  },
)
