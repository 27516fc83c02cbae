import type { LicenseType } from '@pegasus/contracts/licenses'
import * as drive from './drive-parts.ts'
import * as figures from './figures.ts'
import * as household from './household.ts'
import { type Mesh, scale } from './kit/mesh.ts'
import * as workshop from './workshop.ts'

export interface DemoModel {
  fileName: string
  title: string
  description: string
  tags: readonly string[]
  license: LicenseType
  attributionUrl?: string
  material: string
  notes?: string
  make(): Mesh
}

const INCH_MM = 25.4
const model = (
  fileName: string,
  title: string,
  description: string,
  tags: string,
  license: LicenseType,
  material: string,
  make: () => Mesh,
  more: Pick<DemoModel, 'attributionUrl' | 'notes'> = {},
): DemoModel => ({ fileName, title, description, tags: tags.split(', '), license, material, make, ...more })

/** The library, the newest first. Two are meant to raise questions: one has an open edge, one was drawn in inches. */
export const DEMO_MODELS: readonly DemoModel[] = [
  model('planetary_gear_set_4-1.stl', 'Planetary gear set 4:1', 'Herringbone sun, three planets and ring in one print. Turns after a first push.', 'gears, print in place, demonstrator', 'CC BY', 'PETG', drive.planetaryGears, { attributionUrl: 'https://example.com/planetary', notes: '0.16 mm layers, no supports, 4 walls' }),
  model('lotus_tealight.stl', 'Lotus tea light holder', 'Three rings of petals round a 40 mm tea light. Use LED lights only.', 'decor, candle, gift', 'CC BY-SA', 'PLA', household.lotusLight, { attributionUrl: 'https://example.com/lotus', notes: 'Silk PLA, 0.2 mm, tree supports' }),
  model('dice_tower_castle_v3.stl', 'Castle dice tower', 'Dice drop behind the loopholes and roll out of the gate. Merlons survive a fall.', 'tabletop, terrain, dice', 'CC0', 'PLA', figures.castleTower),
  model('hex_tile_river_bend.stl', 'Hex terrain tile, river bend', '80 mm across flats, matches tiles A to F. Trees are separate shells.', 'tabletop, terrain, hex', 'CC BY', 'PLA', figures.hexTerrain, { attributionUrl: 'https://example.com/hexworld' }),
  model('octopus_flexi.stl', 'Flexible octopus', 'Eight arms of eleven beads. The best seller on every fair.', 'toy, articulated, gift', 'CC BY-NC', 'PLA', figures.octopus, { attributionUrl: 'https://example.com/octopus', notes: 'Not for sale: ask the designer first' }),
  model('twisted_vase_150.stl', 'Twisted vase, 150 mm', 'Nine folds that turn once on their way up. Watertight with three walls.', 'vase, decor', 'CC0', 'PETG', household.twistedVase),
  model('chess_staunton_plate.stl', 'Chess pieces, plate of six', 'One of each piece, Staunton pattern, bases take a 20 mm felt.', 'tabletop, chess', 'Public Domain', 'PLA', figures.chessSet, { notes: 'Print sixteen pawns from the single file' }),
  model('planter_facet_110.stl', 'Faceted planter with saucer', 'For 9 cm nursery pots. Drain hole in the floor, saucer nests below.', 'planter, home', 'CC BY', 'ASA', household.facetedPlanter, { attributionUrl: 'https://example.com/facets' }),
  model('608_bearing_demo.stl', 'Ball bearing 608, printable', 'Balls and races in one print; for show and slow loads.', 'bearing, print in place', 'CC0', 'PA12', drive.ballBearing),
  model('ammonite_scan_raw.stl', 'Ammonite, museum scan', 'Photogrammetry, raw: the mouth is still open. Close it before slicing.', 'scan, fossil', 'CC BY-NC', 'PLA', figures.nautilus, { attributionUrl: 'https://example.com/ammonite' }),
  model('lampshade_pleated_e27.stl', 'Pleated lampshade E27', 'Twenty-four pleats, 44 mm ring for E27 sockets. LED up to 7 W.', 'lamp, home', 'Custom', 'PETG', household.pleatedLampshade, { notes: 'Licence from Studio Brandt, 200 pieces a year' }),
  model('screw_jar_60.stl', 'Screw jar with lid', 'Coarse thread that needs no cleaning up. 60 ml.', 'jar, storage, thread', 'CC BY', 'PETG', household.screwJar, { attributionUrl: 'https://example.com/jars' }),
  model('helical_gear_m2_z32.stl', 'Helical gear M2, 32 teeth', 'Spare part for the bench drill, left hand, 8 mm bore.', 'gears, spare part', 'Public Domain', 'PA12', drive.helicalGear),
  model('controller_case_bottom.stl', 'Controller case, bottom half', 'Posts for M3 inserts at 72 × 44 mm, vents in the floor.', 'enclosure, electronics', 'CC BY-SA', 'ABS', workshop.controllerCase, { attributionUrl: 'https://example.com/case' }),
  model('fan_grill_80.stl', 'Fan grill 80 mm', 'Spiral windows keep fingers out and the noise down.', 'electronics, fan', 'CC0', 'ABS', workshop.fanGrill),
  model('trefoil_knot_stand.stl', 'Trefoil knot on a stand', 'Desk sculpture. Supports only below the lowest loop.', 'decor, mathematics, gift', 'CC BY', 'PLA', figures.trefoilKnot, { attributionUrl: 'https://example.com/knots' }),
  model('grid_bin_3x1x6.stl', 'Grid bin 3 × 1, three cells', 'Sits in every 42 mm base. Lip for stacking.', 'storage, gridfinity, workshop', 'Public Domain', 'PLA', household.gridBin),
  model('prop_5x4_three_blade.stl', 'Propeller 5 × 4, three blades', 'For ducts and wind tunnels, not for flight. Sand the leading edges.', 'drone, spare part', 'CC BY-SA', 'PC', drive.propeller, { attributionUrl: 'https://example.com/prop' }),
  model('coat_hook_double.stl', 'Double coat hook', 'Two arms on a plate, screws 4 × 40. Holds 12 kg in PETG.', 'hook, home', 'Public Domain', 'PETG', workshop.coatHook, { notes: 'Print on its side, 5 walls' }),
  model('gt2_pulley_24t.stl', 'GT2 pulley, 24 teeth', 'Two set screws, 5 mm bore, flanges on both sides.', 'drive, spare part', 'CC0', 'PA12', drive.beltPulley),
  model('bolt_nut_m14.stl', 'Bolt and nut for children', 'Large thread, large hands. Turns freely off the bed.', 'toy, thread', 'CC0', 'PLA', drive.boltAndNut),
  model('hinge_80_print_in_place.stl', 'Hinge 80 mm, print in place', 'Five knuckles with 0.5 mm play. Countersunk for 4 mm screws.', 'hinge, hardware, print in place', 'CC BY', 'PETG', workshop.printedHinge, { attributionUrl: 'https://example.com/hinge' }),
  model('star_knob_m8.stl', 'Star knob M8', 'Takes an M8 nut from below; seven lobes for gloves.', 'knob, hardware', 'Public Domain', 'PETG', workshop.starKnob),
  model('honeycomb_wall.stl', 'Honeycomb wall panel', 'Storage wall. Panels join edge to edge with the pins.', 'storage, wall, workshop', 'CC BY', 'PLA', workshop.honeycombPanel, { attributionUrl: 'https://example.com/comb' }),
  model('shelf_bracket_70.stl', 'Shelf bracket 70 mm', 'Two ribs, four countersunk screws. 18 kg a pair.', 'bracket, hardware', 'Public Domain', 'PETG', workshop.shelfBracket),
  model('phone_stand_slim.stl', 'Phone stand', 'Fits phones with a case. The cable goes through the back.', 'desk, stand', 'CC0', 'PLA', household.phoneStand),
  model('spool_hub_52.stl', 'Spool hub 72 mm', 'Centres spools with a 74 mm hole on a 22 mm bar.', 'printer, workshop', 'CC0', 'PETG', workshop.spoolHub),
  model('funnel_95.stl', 'Funnel with air ribs', 'Eight ribs let the air out beside the neck. Hangs on a hook.', 'kitchen, workshop', 'Public Domain', 'PP', household.funnel),
  model('bow_handle_116.stl', 'Bow handle 116 mm', 'For drawers and flight cases, M4 inserts in both feet.', 'handle, hardware', 'CC BY-SA', 'ASA', household.bowHandle, { attributionUrl: 'https://example.com/handles' }),
  model('drawer_knob_fluted.stl', 'Fluted drawer knob', 'Sixteen flutes, M4 insert.', 'knob, home', 'CC BY', 'PLA', household.drawerKnob, { attributionUrl: 'https://example.com/handles' }),
  model('wrench_13_17.stl', 'Open-end wrench 13 / 17', 'For plastic nuts and hose fittings. Pocketed handle.', 'tool, workshop', 'CC0', 'PC', drive.openWrench),
  model('rook_display_82.stl', 'Rook, display size', 'Shop window piece, 82 mm.', 'tabletop, chess', 'Public Domain', 'PLA', figures.rookPiece),
  model('soap_dish_oval.stl', 'Oval soap dish', 'Slots drain to the front. Four feet.', 'bathroom, home', 'CC0', 'PETG', household.soapDish),
  model('cable_comb_7.stl', 'Cable comb, seven slots', 'Snaps round 6 to 8 mm cables. Two screws or tape.', 'cable, desk', 'CC0', 'TPU 95A', workshop.cableComb),
  model('corner_plate_inch.stl', 'Corner plate (imperial drawing)', 'From the customer’s drawing. Check the units before quoting.', 'hardware, customer part', 'Custom', 'PLA', () => scale(workshop.cornerClamp(), 1 / INCH_MM)),
]

/** Files that are meant to be wrong in one way, so that the warnings are seen. */
export const OPEN_MODEL = 'ammonite_scan_raw.stl'
export const INCH_MODEL = 'corner_plate_inch.stl'
