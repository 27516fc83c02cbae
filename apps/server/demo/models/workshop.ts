import { around, box, circle, inset, ngon, rounded, roundedBox, sector, turned } from './kit/outline.ts'
import {
  combine,
  type Flat,
  type Loop,
  type Mesh,
  move,
  rotate,
  seat,
  spread,
  times,
  TURN,
} from './kit/mesh.ts'
import { plate, stack } from './kit/stack.ts'
import { sweep, turn, upright } from './kit/surface.ts'

/** Returns a plate with countersunk screw holes and a beveled upper edge. */
function screwPlate(outline: Loop, screws: readonly Flat[], height: number, hole = 2.3): Mesh {
  const holes = screws.map((at) => circle(hole, at, 40))
  const sunk = screws.map((at) => circle(hole * 2, at, 40))
  const cone = hole * 1.1
  return stack([
    { height: 0.5, loops: [inset(outline, 0.5), ...holes], top: [outline, ...holes] },
    { height: height - 1 - cone, loops: [outline, ...holes] },
    {
      height: cone - 0.5,
      loops: [outline, ...holes],
      top: [outline, ...screws.map((at) => circle(hole * 1.65, at, 40))],
    },
    {
      height: 1,
      loops: [outline, ...screws.map((at) => circle(hole * 1.65, at, 40))],
      top: [inset(outline, 1), ...sunk],
    },
  ])
}

export function shelfBracket(): Mesh {
  const [leg, width, thick] = [70, 30, 6]
  const screws: Flat[] = [
    [-16, 0],
    [20, 0],
  ]
  const flat = screwPlate(roundedBox(leg, width, 6), screws, thick)
  const wall = move(
    rotate(screwPlate(roundedBox(leg, width, 6), screws, thick), 'y', -90),
    -leg / 2 + thick,
    0,
    leg / 2,
  )
  const web: Loop = rounded(
    [
      [0, 0],
      [54, 0],
      [50, 4],
      [4, 50],
      [0, 54],
    ],
    [0, 1, 4, 4, 1],
  )
  const window = rounded(
    [
      [7, 7],
      [28, 7],
      [7, 28],
    ],
    4,
  )
  const rib = (y: number) => move(upright(plate(web, [window], 5, 0.6)), -leg / 2 + thick - 1, y, thick - 1)
  return combine(flat, wall, rib(-10 + 2.5), rib(10 + 2.5))
}

export function coatHook(): Mesh {
  const back = screwPlate(
    roundedBox(34, 86, 15),
    [
      [0, 32],
      [0, -32],
    ],
    6,
  )
  const arm = (points: readonly Flat[], size: number): Mesh =>
    sweep(
      points.map(([y, z]) => [0, y, z] as const),
      circle(size, [0, 0], 40),
      {
        up: [1, 0, 0],
        sizeAt: (s) => 1.15 - 0.35 * s,
      },
    )
  const bend = (from: Flat, reach: number, rise: number): Flat[] =>
    spread(36).map((s) => [
      from[0] - rise * 0.32 * Math.sin(Math.PI * s) + rise * s ** 3,
      from[1] + reach * Math.sin((Math.PI / 2) * s),
    ])
  const ball = (at: Flat, radius: number) =>
    move(
      turn(
        spread(25).map(
          (s) =>
            [
              s === 0 || s === 1 ? 0 : radius * Math.sin(Math.PI * s),
              radius - radius * Math.cos(Math.PI * s),
            ] as const,
        ),
        48,
      ),
      0,
      at[0],
      at[1] - radius,
    )
  const lower = bend([-12, 3], 46, 34)
  const upper = bend([14, 3], 66, 26)
  return seat(combine(back, arm(lower, 7), ball(lower.at(-1)!, 7.4), arm(upper, 6.4), ball(upper.at(-1)!, 7)))
}

export function printedHinge(): Mesh {
  const [length, leafWidth, barrel, gap] = [80, 34, 6, 0.5]
  const knuckles = 5
  const pitch = length / knuckles
  const screws: Flat[] = [
    [-28, 6],
    [0, -4],
    [28, 6],
  ]
  const leafPlate = screwPlate(roundedBox(length, leafWidth, 4), screws, 5, 2)
  const side = (sign: 1 | -1): Mesh =>
    rotate(move(leafPlate, 0, barrel + 1.4 + leafWidth / 2), 'z', sign === 1 ? 0 : 180)
  const knuckle = (i: number): Mesh => {
    const isOdd = i % 2 === 1
    const sleeve = plate(circle(barrel, [0, 0], 48), [circle(2.6, [0, 0], 32)], pitch - gap, 0.5)
    const foot = plate(
      roundedBox(barrel + 6, 5, 0.8, [barrel / 2 + 2.5, -barrel + 2.5]),
      [],
      pitch - gap,
      0.4,
    )
    const along = rotate(rotate(combine(sleeve, foot), 'x', 90), 'z', isOdd ? 270 : 90)
    const half = (pitch - gap) / 2
    return move(along, (i + 0.5) * pitch - length / 2 + (isOdd ? half : -half), 0, barrel)
  }
  const pin = rotate(
    move(plate(circle(2.2, [0, 0], 32), [], length + 3, 0.5), 0, 0, -length / 2 - 1.5),
    'y',
    90,
  )
  return combine(side(1), side(-1), ...times(knuckles, knuckle), move(pin, 0, 0, barrel))
}

export function cableComb(): Mesh {
  const slots = 7
  const pitch = 11
  const width = slots * pitch + 6
  const outline: Flat[] = [
    [-width / 2, -11],
    [width / 2, -11],
    [width / 2, 14],
  ]
  for (let i = slots - 1; i >= 0; i--) {
    const x = (i - (slots - 1) / 2) * pitch
    const bore = spread(26, 0.5 * Math.PI - 0.62, -1.5 * Math.PI + 0.62).map(
      (a): Flat => [x + 4 * Math.cos(a), 3 + 4 * Math.sin(a)],
    )
    outline.push([x + 3.4, 14], ...bore, [x - 3.4, 14])
  }
  outline.push([-width / 2, 14])
  const screws = [-1, 1].map((side) => circle(2.2, [side * (width / 2 - 12), -6.2], 32))
  const bars = times(5, (i) => roundedBox(7, 3, 1.4, [(i - 2) * 10, -6.2]))
  return plate(outline, [...screws, ...bars], 9, 0.8)
}

export function fanGrill(): Mesh {
  const rings = [9, 17, 25, 33]
  const windows = rings.flatMap((from, ring) =>
    times(6 + 2 * ring, (i) => {
      const count = 6 + 2 * ring
      const gapAngle = 1.3 / (from + 3)
      return turned(
        sector(from, from + 5.6, TURN * (i / count) + gapAngle, TURN * ((i + 1) / count) - gapAngle, 1),
        0.24 * ring,
      )
    }),
  )
  const screws = [-1, 1].flatMap((x) => [-1, 1].map((y) => circle(2.2, [x * 35.75, y * 35.75], 32)))
  const outline = roundedBox(84, 84, 8)
  const collar = circle(40.3, [0, 0], 128)
  const dome = circle(5.5, [0, 0], 48)
  return stack([
    {
      height: 0.8,
      loops: [inset(outline, 0.8), ...screws, ...windows],
      top: [outline, ...screws, ...windows],
    },
    { height: 2.6, loops: [outline, ...screws, ...windows] },
    {
      height: 2.4,
      loops: [collar, circle(38.9, [0, 0], 128), dome],
      top: [circle(39.9, [0, 0], 128), circle(38.9, [0, 0], 128), circle(4.2, [0, 0], 48)],
    },
  ])
}

export function controllerCase(): Mesh {
  const outer = roundedBox(96, 66, 8)
  const inner = roundedBox(90.4, 60.4, 5.4)
  const lip = roundedBox(93, 63, 6.6)
  const posts = [-1, 1].flatMap((x) => [-1, 1].map((y): Flat => [x * 36, y * 22]))
  const columns = posts.map((at) => circle(4.2, at, 40))
  const bores = posts.map((at) => circle(1.5, at, 24))
  const vents = times(9, (i) => roundedBox(3, 26, 1.45, [(i - 4) * 6.4, 0]))
  return stack([
    { height: 1, loops: [inset(outer, 1), ...vents], top: [outer, ...vents] },
    { height: 2, loops: [outer, ...vents] },
    { height: 7, loops: [outer, inner, ...columns, ...bores] },
    { height: 13, loops: [outer, inner] },
    { height: 2.4, loops: [outer, lip] },
    { height: 0.6, loops: [outer, lip], top: [inset(outer, 0.6), lip] },
  ])
}

export function spoolHub(): Mesh {
  const windows = times(5, (i) => sector(17, 31, (TURN * (i + 0.12)) / 5, (TURN * (i + 0.88)) / 5, 3))
  const bore = circle(11, [0, 0], 72)
  const rim = circle(46, [0, 0], 120)
  const grip = around(120, (angle) => 36 + 0.9 * Math.max(0, Math.cos(5 * angle)) ** 8)
  const narrowGrip = grip.map(([x, y]): Flat => [x * 0.95, y * 0.95])
  const [well, neck] = [circle(32.5, [0, 0], 96), circle(15.5)]
  return stack([
    { height: 1, loops: [circle(45, [0, 0], 120), ...windows, bore], top: [rim, ...windows, bore] },
    { height: 4, loops: [rim, ...windows, bore] },
    { height: 18, loops: [grip, ...windows, bore] },
    { height: 3, loops: [grip, well, neck, bore], top: [narrowGrip, well, neck, bore] },
    { height: 7, loops: [neck, bore] },
    { height: 1, loops: [neck, bore], top: [circle(14.5), bore] },
  ])
}

export function starKnob(): Mesh {
  const lobes = around(168, (angle) => 21 + 3.6 * Math.cos(7 * angle) - 0.8 * Math.cos(14 * angle))
  const scaled = (by: number) => lobes.map(([x, y]): Flat => [x * by, y * by])
  const nut = ngon(6, 13.2)
  const bore = circle(4.2)
  const dish = circle(13, [0, 0], 72)
  const rim = spread(7).map((s) => 1 - 0.13 * (1 - Math.cos((Math.PI / 2) * s)))
  return stack([
    { height: 5, loops: [circle(11), nut] },
    { height: 4, loops: [circle(11), bore], top: [circle(14), bore] },
    { height: 1.2, loops: [scaled(0.93), bore], top: [lobes, bore] },
    { height: 7, loops: [lobes, bore] },
    ...times(6, (i) => ({
      height: 0.75 - i * 0.08,
      loops: [scaled(rim[i]!), bore],
      top: [scaled(rim[i + 1]!), bore],
    })),
    {
      height: 1.6,
      loops: [scaled(rim[6]!).map(([x, y]): Flat => [x * 0.92, y * 0.92]), dish, circle(6), bore],
    },
  ])
}

export function honeycombPanel(): Mesh {
  const pitch = 23
  const cells: Flat[] = []
  for (let row = 0; row < 5; row++)
    for (let column = 0; column < (row % 2 === 0 ? 5 : 4); column++)
      cells.push([(column - (row % 2 === 0 ? 2 : 1.5)) * pitch, ((row - 2) * pitch * Math.sqrt(3)) / 2])
  const wide = cells.map((at) => ngon(6, 20.6, at))
  const narrow = cells.map((at) => ngon(6, 18.8, at))
  const outline = roundedBox(124, 106, 6)
  return stack([
    { height: 0.8, loops: [inset(outline, 0.8), ...wide], top: [outline, ...wide] },
    { height: 4, loops: [outline, ...wide] },
    { height: 1, loops: [outline, ...wide], top: [outline, ...narrow] },
    { height: 1.4, loops: [outline, ...narrow] },
    { height: 0.8, loops: [outline, ...narrow], top: [inset(outline, 0.8), ...narrow] },
  ])
}

export function cornerClamp(): Mesh {
  const corners: Loop = [
    [0, 0],
    [60, 0],
    [60, 20],
    [26, 20],
    [20, 26],
    [20, 60],
    [0, 60],
  ]
  const outline = rounded(corners, [8, 6, 6, 5, 5, 6, 6])
  const slots = [rounded(box(22, 5.2, [43, 10]), 2.55), rounded(box(5.2, 22, [10, 43]), 2.55)]
  return plate(outline, [...slots, circle(5, [10, 10], 48)], 7.8, 0.8)
}
