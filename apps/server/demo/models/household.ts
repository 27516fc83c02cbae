import { around, box, circle, rounded, roundedBox } from './kit/outline.ts'
import {
  combine,
  type Flat,
  type Loop,
  type Mesh,
  move,
  type Point,
  rotate,
  seat,
  spread,
  times,
  TURN,
} from './kit/mesh.ts'
import { plate, stack } from './kit/stack.ts'
import { leaf, type ProfilePoint, sweep, turn, upright } from './kit/surface.ts'
import { threaded } from './drive-parts.ts'

/** Returns a thin-walled vessel. Its profile goes up the outside, over the rim and down the inside. */
function vessel(
  height: number,
  wall: number,
  floor: number,
  radiusAt: (share: number) => number,
  steps = 72,
): ProfilePoint[] {
  const shares = spread(steps + 1)
  return [
    [0, 0],
    ...shares.map((s): ProfilePoint => [radiusAt(s), s * height]),
    ...shares
      .toReversed()
      .map(
        (s): ProfilePoint => [
          radiusAt(floor / height + s * (1 - floor / height)) - wall,
          floor + s * (height - floor),
        ],
      ),
    [0, floor],
  ]
}

export function twistedVase(): Mesh {
  const height = 150
  const profile = vessel(height, 2.4, 3, (s) => 30 + 20 * Math.sin(Math.PI * (0.12 + 0.95 * s)) ** 2 + 8 * s)
  return turn(profile, 180, (radius, angle, z) => {
    const s = z / height
    const fold = 0.11 * Math.cos(9 * (angle + 1.5 * s)) * Math.min(1, radius / 20)
    const r = radius * (1 + fold)
    return [r * Math.cos(angle), r * Math.sin(angle), z]
  })
}

export function facetedPlanter(): Mesh {
  const sides = 8
  const ring = (radius: number, turned: number): Loop =>
    around(sides, () => radius).map(([x, y]) => {
      const a = (turned * Math.PI) / sides
      return [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)]
    })
  const drain = circle(4, [0, 0], 32)
  const outside = [ring(30, 0), ring(47, 1), ring(55, 2), ring(50, 3)]
  const inside = [ring(26, 0), ring(43.5, 1), ring(51.5, 2), ring(46.5, 3)]
  const lift = [26, 28, 26]
  const body = stack([
    { height: 3, loops: [ring(28, 0), drain], top: [ring(30, 0), drain] },
    ...times(3, (i) => ({
      height: lift[i]!,
      loops: [outside[i]!, inside[i]!],
      top: [outside[i + 1]!, inside[i + 1]!],
    })),
  ])
  const dish = stack([
    { height: 2.4, loops: [ring(52, 0)], top: [ring(56, 0)] },
    { height: 8, loops: [ring(56, 0), ring(52, 0)], top: [ring(60, 0), ring(57, 0)] },
  ])
  return combine(move(body, 0, 0, 2.5), dish)
}

export function pleatedLampshade(): Mesh {
  const height = 120
  const steps = 48
  const shares = spread(steps + 1)
  const radiusAt = (s: number) => 74 - 34 * s ** 0.8
  const profile: ProfilePoint[] = [
    ...shares.map((s): ProfilePoint => [radiusAt(s), s * height]),
    [22, height + 2],
    [22, height],
    ...shares.toReversed().map((s): ProfilePoint => [radiusAt(s) - 1.8, s * height - (s === 1 ? 1.6 : 0)]),
    [radiusAt(0), 0],
  ]
  return turn(profile, 288, (radius, angle, z) => {
    const s = Math.min(1, z / height)
    const pleat =
      (5.5 * (1 - 0.75 * s) * Math.asin(0.96 * Math.sin(24 * angle + 2.2 * Math.sin(Math.PI * s)))) / 1.3
    const r = radius <= 22 ? radius : radius + pleat
    return [r * Math.cos(angle), r * Math.sin(angle), z]
  })
}

export function funnel(): Mesh {
  const outline: ProfilePoint[] = [
    [5, 0],
    [6.4, 38],
    [9, 46],
    [46, 84],
    [47.5, 86],
    [47.5, 92],
  ]
  const inside: ProfilePoint[] = [
    [45.6, 92],
    [45.6, 86.6],
    [44.6, 85],
    [7.2, 47.2],
    [4.8, 38.6],
    [3.4, 0],
  ]
  const cone = turn([...outline, ...inside, [5, 0]], 96)
  const ribs = times(8, (i) => {
    const fin = upright(
      plate(
        rounded(
          [
            [5.2, 2],
            [8, 44],
            [20, 56],
            [8.8, 50],
            [6, 40],
          ],
          0.3,
          2,
        ),
        [],
        1.6,
        0.3,
      ),
    )
    return rotate(move(fin, 0, 0.8), 'z', 45 * i)
  })
  const loop = plate(circle(9, [54, 0], 56), [circle(5.2, [54, 0], 56)], 4, 0.8)
  return combine(cone, ...ribs, move(loop, 0, 0, 88))
}

export function screwJar(): Mesh {
  const wall: ProfilePoint[] = [
    [0, 0],
    [29, 0],
    [31, 2],
    [31, 44],
    [28.4, 47],
    ...spread(46, 47.6, 60).map((z): ProfilePoint => [27, z]),
    [25.6, 61],
    [24.2, 61],
    [24.2, 46],
    [28, 41],
    [28, 4],
    [26.5, 2.6],
    [0, 2.6],
  ]
  const jar = threaded(
    wall,
    { from: 47.6, to: 60, pitch: 4.2, depth: 1.7, isThreaded: (at) => at > 4 && at < 51 },
    120,
  )
  const cap: ProfilePoint[] = [
    [0, 0],
    [29.6, 0],
    [31, 1.4],
    [31, 16.5],
    [30.2, 17.4],
    [29.4, 17.4],
    ...spread(40, 16.6, 3.4).map((z): ProfilePoint => [28, z]),
    [0, 3],
  ]
  const lid = turn(cap, 240, (radius, angle, z, at) => {
    const grip = at === 2 || at === 3 ? 0.9 * Math.cos(40 * angle) : 0
    const phase = (((z / 4.2 + angle / TURN) % 1) + 1) % 1
    const groove = at > 5 && at < 46 ? 1.3 * Math.max(0, 1 - 3 * Math.abs(phase - 0.5)) : 0
    const r = radius + grip + groove
    return [r * Math.cos(angle), r * Math.sin(angle), z]
  })
  return combine(jar, move(lid, 70, 0))
}

export function bowHandle(): Mesh {
  const path = spread(72).map((s): Point => {
    const a = Math.PI * s
    return [-58 * Math.sign(Math.cos(a)) * Math.abs(Math.cos(a)) ** 0.55, 0, 3 + 27 * Math.sin(a) ** 0.62]
  })
  const section = rounded(box(13, 8.5), 3.2, 6)
  const bow = sweep(path, section, { up: [0, 1, 0], sizeAt: (s) => 1.12 - 0.34 * Math.sin(Math.PI * s) })
  const foot = (x: number) =>
    move(
      turn(
        [
          [0, 0],
          [11, 0],
          [12, 1],
          [12, 2.6],
          [10, 4.4],
          [8.5, 7],
          [8, 9],
          [0, 9],
        ],
        64,
      ),
      x,
      0,
    )
  return combine(bow, foot(-58), foot(58))
}

export function phoneStand(): Mesh {
  const side = rounded(
    [
      [0, 0],
      [80, 0],
      [87, 14],
      [80, 17],
      [74, 8],
      [48, 8],
      [25, 92],
      [14, 89],
      [27, 42],
      [0, 8],
    ],
    [3, 4, 2.5, 2.5, 3, 6, 4, 4, 14, 3],
  )
  const window = rounded(
    [
      [16, 8],
      [37, 8],
      [30, 33],
    ],
    2,
  )
  return seat(upright(plate(side, [window], 60, 1)))
}

export function gridBin(): Mesh {
  const unit = 42
  const centers: Flat[] = [
    [-unit, 0],
    [0, 0],
    [unit, 0],
  ].map(([x, y]): Flat => [x!, y!])
  const foot = (size: number, radius: number) => centers.map((at) => roundedBox(size, size, radius, at))
  const [width, depth] = [3 * unit - 0.5, unit - 0.5]
  const outer = roundedBox(width, depth, 3.75)
  const rim = roundedBox(width - 2.4, depth - 2.4, 2.6)
  const cells = [-40.4, 0, 40.4].map((x) => roundedBox(39.2, depth - 3.4, 2.2, [x, 0]))
  return stack([
    { height: 0.8, loops: foot(35.8, 0.8), top: foot(37.2, 1.6) },
    { height: 1.8, loops: foot(37.2, 1.6) },
    { height: 2.15, loops: foot(37.2, 1.6), top: foot(41.2, 3.6) },
    { height: 2, loops: [outer] },
    { height: 28, loops: [outer, ...cells] },
    { height: 2.6, loops: [outer, rim] },
    { height: 1.9, loops: [outer, rim], top: [outer, roundedBox(width - 0.6, depth - 0.6, 3.5)] },
  ])
}

export function soapDish(): Mesh {
  const oval = (by: number): Loop =>
    around(96, (a) => ((52 + by) * (38 + by)) / Math.hypot((38 + by) * Math.cos(a), (52 + by) * Math.sin(a)))
  const slots = times(5, (i) => roundedBox(4, 46 - 4 * Math.abs(i - 2) ** 1.4, 1.9, [(i - 2) * 8, 0]))
  const feet = [-1, 1].flatMap((x) => [-1, 1].map((y) => circle(4, [x * 27, y * 15], 40)))
  const wideFeet = [-1, 1].flatMap((x) => [-1, 1].map((y) => circle(5, [x * 27, y * 15], 40)))
  return stack([
    { height: 5, loops: feet, top: wideFeet },
    { height: 3, loops: [oval(-9), ...slots], top: [oval(-3), ...slots] },
    { height: 13, loops: [oval(-3), oval(-7)], top: [oval(5), oval(1.8)] },
    { height: 1, loops: [oval(5), oval(1.8)], top: [oval(4.4), oval(2.6)] },
  ])
}

export function lotusLight(): Mesh {
  const petal = (reach: number, rise: number, width: number, curl: number): Mesh =>
    leaf(
      (u, v) => {
        const across = 2 * v - 1
        const half = width * Math.sin(Math.PI * Math.min(0.985, 0.18 + 0.8 * u)) ** 0.8
        const out = 15 + reach * Math.sin(1.15 * u)
        return [
          out - 3 * across ** 2 * u,
          half * across,
          2 + rise * u ** curl + 5 * across ** 2 * Math.sin(Math.PI * u),
        ]
      },
      2,
      [22, 12],
    )
  const ring = (count: number, from: number, ...sizes: [number, number, number, number]): Mesh[] =>
    times(count, (i) => rotate(petal(...sizes), 'z', from + (360 * i) / count))
  const cup = turn(
    [
      [0, 0],
      [22, 0],
      [24, 2],
      [24, 10],
      [20.6, 12],
      [20.6, 3],
      [0, 3],
    ],
    72,
  )
  return seat(
    combine(
      cup,
      ...ring(9, 0, 44, 20, 17, 1.9),
      ...ring(9, 20, 32, 34, 15, 1.5),
      ...ring(9, 0, 18, 44, 12, 1.2),
    ),
  )
}

export function drawerKnob(): Mesh {
  return turn(
    [
      [0, 0],
      [9, 0],
      [10, 1],
      [8, 6],
      [6.6, 12],
      [8, 17],
      [14, 20],
      [17, 24],
      [17.4, 27],
      [16, 30],
      [12, 32.4],
      [6, 33.6],
      [0, 34],
    ],
    120,
    (radius, angle, z) => {
      const r = radius * (z > 16 ? 1 + 0.05 * Math.cos(16 * angle) : 1)
      return [r * Math.cos(angle), r * Math.sin(angle), z]
    },
  )
}
