import { around, circle, roundedBox, sector } from './kit/outline.ts'
import {
  combine,
  type Loop,
  type Mesh,
  move,
  polar,
  type Point,
  rotate,
  scale,
  seat,
  spread,
  times,
  TURN,
} from './kit/mesh.ts'
import { plate, stack } from './kit/stack.ts'
import { type ProfilePoint, sphere, sweep, turn } from './kit/surface.ts'

/** The turned base that all pieces of the chess set share. */
const FOOT: readonly ProfilePoint[] = [
  [0, 0],
  [15, 0],
  [16, 1.2],
  [16, 4],
  [14.6, 5.4],
  [14.6, 6.8],
  [12.6, 9],
  [10.4, 11],
  [9.6, 12.4],
]

const collar = (radius: number, z: number): ProfilePoint[] => [
  [radius - 2.6, z],
  [radius, z + 1],
  [radius, z + 2.2],
  [radius - 2, z + 3.2],
]

const ballOn = (radius: number, z: number, from = 0.2): ProfilePoint[] =>
  spread(20, from, 1).map((s) => [
    s === 1 ? 0 : radius * Math.sin(Math.PI * s),
    z + radius - radius * Math.cos(Math.PI * s),
  ])

const column = (from: number, to: number, narrow: number, wide: number): ProfilePoint[] =>
  spread(10).map((s) => [narrow + (wide - narrow) * (1 - s) ** 2.2, from + (to - from) * s])

const pawn = (): Mesh =>
  turn([...FOOT, ...column(13, 27, 5, 9), ...collar(8.6, 27.4), ...ballOn(7.6, 29.8, 0.28)], 72)

const bishop = (): Mesh =>
  turn(
    [
      ...FOOT,
      ...column(13, 40, 5, 9.4),
      ...collar(9.2, 40.4),
      ...spread(22, 0.16, 0.97).map(
        (s): ProfilePoint => [8.4 * Math.sin(Math.PI * s ** 1.25) ** 0.8, 43 + 19 * s],
      ),
      ...ballOn(2.6, 61.2, 0.3),
    ],
    72,
  )

function rook(): Mesh {
  const body = turn(
    [...FOOT, ...column(13, 33, 7.6, 10.4), [9, 34], [11.4, 36.4], [11.4, 41], [8, 41], [8, 39], [0, 39]],
    72,
  )
  const merlons = times(6, (i) =>
    plate(sector(8.2, 11.2, (TURN * i) / 6, (TURN * (i + 0.62)) / 6), [], 5, 0.4),
  )
  return combine(body, ...merlons.map((part) => move(part, 0, 0, 40.4)))
}

function queen(): Mesh {
  const crown = turn(
    [
      ...FOOT,
      ...column(13, 47, 5.2, 9.8),
      ...collar(9.6, 47.4),
      [7, 51],
      [7.6, 55],
      [9.6, 60],
      [10.6, 63],
      [7.4, 61],
      [0, 62],
    ],
    96,
    (r, a, z, at) => {
      const tip = z >= 60 && r > 7 && at > 20 ? 1.7 * Math.cos(8 * a) : 0
      return [r * Math.cos(a), r * Math.sin(a), z + tip]
    },
  )
  return combine(crown, move(sphere(3, 28), 0, 0, 64))
}

function king(): Mesh {
  const body = turn(
    [
      ...FOOT,
      ...column(13, 50, 5.4, 10),
      ...collar(9.8, 50.4),
      [7.2, 54],
      [8, 59],
      [9.6, 65],
      [8.6, 66.4],
      [4, 68.4],
      [0, 69],
    ],
    72,
  )
  const cross: Loop = [
    [-1.5, 0],
    [1.5, 0],
    [2, 4],
    [5, 3.6],
    [5, 7],
    [2, 6.6],
    [1.8, 10],
    [-1.8, 10],
    [-2, 6.6],
    [-5, 7],
    [-5, 3.6],
    [-2, 4],
  ]
  return combine(body, move(rotate(plate(cross, [], 3, 0.4), 'x', 90), 0, 1.5, 67.5))
}

export function chessSet(): Mesh {
  const places: readonly (readonly [Mesh, number, number])[] = [
    [rook(), -38, -20],
    [bishop(), -20, 18],
    [queen(), 16, 20],
    [king(), 52, 22],
    [pawn(), 0, -20],
    [pawn(), 36, -18],
  ]
  return seat(combine(...places.map(([piece, x, y]) => move(piece, x, y))))
}

export function rookPiece(): Mesh {
  return scale(rook(), 1.8)
}

export function castleTower(): Mesh {
  const steps = 96
  const wall = (radius: number): Loop => circle(radius, [0, 0], steps)
  const cavity = wall(27)
  // At a door or a loophole, the wall is a row of sectors that is a little thinner than the ring above.
  const withGaps = (middles: readonly number[], half: number): Loop[] =>
    middles.map((middle, i) => {
      const next = middles[i + 1] ?? middles[0]! + TURN
      return sector(27.4, 32.6, middle + half, next - half, 0, 64)
    })
  const [front, width] = [-Math.PI / 2, 0.4]
  const doorAt = (share: number) => withGaps([front], width * Math.sqrt(1 - (0.99 * share) ** 2))
  const arch = times(8, (i) => ({ height: 1.6, loops: doorAt(i / 8), top: doorAt((i + 1) / 8) }))
  const slits = withGaps(
    times(5, (i) => front + (TURN * i) / 5),
    0.07,
  )
  const corbel = wall(38)
  const merlons = times(10, (i) => sector(33.6, 37.4, (TURN * i) / 10, (TURN * (i + 0.58)) / 10))
  return combine(
    stack([
      { height: 3, loops: [wall(41)], top: [wall(40)] },
      { height: 22, loops: arch[0]!.loops },
      ...arch,
      { height: 11, loops: [wall(33), cavity] },
      { height: 14, loops: slits },
      { height: 12, loops: [wall(33), cavity] },
      { height: 7, loops: [wall(33), cavity], top: [corbel, cavity] },
      { height: 7, loops: [corbel, wall(33)] },
      { height: 8, loops: merlons },
    ]),
    ...bricks(),
  )
}

/** Returns stones that protrude from the wall at irregular distances. */
function bricks(): Mesh[] {
  const stones: (readonly [number, number])[] = times(46, (i) => [(i * 2.39996) % TURN, 8 + ((i * 37) % 66)])
  const isFree = ([angle, z]: readonly [number, number]) => {
    const fromDoor = Math.abs(((angle + Math.PI / 2 + Math.PI) % TURN) - Math.PI)
    return (fromDoor > 0.62 || z > 42) && (z < 44 || z > 60)
  }
  return stones
    .filter(isFree)
    .map(([angle, z]) => move(plate(sector(31, 34, angle, angle + 0.24), [], 4.6, 0.7), 0, 0, z))
}

export function hexTerrain(): Mesh {
  const rings = 44
  const radius = 46
  const relief = (x: number, y: number): number => {
    const hill =
      19 * Math.exp(-((x - 12) ** 2 + (y - 14) ** 2) / 260) +
      11 * Math.exp(-((x + 22) ** 2 + (y - 6) ** 2) / 160)
    const river = Math.abs(y + 17 - 7 * Math.sin(x / 11) - 0.12 * x)
    const bed = 5.5 * Math.exp(-((river / 4.4) ** 4))
    const grain = 0.9 * Math.sin(x * 0.45 + 1.3 * Math.sin(y * 0.31)) * Math.cos(y * 0.52 + Math.sin(x * 0.4))
    const terraces = hill > 3 ? 1.1 * Math.sin(hill * 1.9) : 0
    return 9 + hill + terraces + grain * (river > 5 ? 1 : 0.15) - bed
  }
  const profile: ProfilePoint[] = [
    [0, 0],
    [radius - 1, 0],
    [radius, 1],
    [radius, 2],
    ...spread(rings).map((s): ProfilePoint => [s === 1 ? 0 : radius * (1 - s), 3]),
  ]
  const hex = (angle: number) => {
    const within = (((angle % (TURN / 6)) + TURN / 6) % (TURN / 6)) - TURN / 12
    return Math.cos(TURN / 12) / Math.cos(within)
  }
  const land = turn(profile, 192, (r, angle, z, at) => {
    const [x, y] = polar(r * hex(angle), angle)
    return [x, y, at >= 4 ? relief(x, y) : z]
  })
  const tree = (x: number, y: number, size: number): Mesh =>
    move(
      turn(
        [
          [0, -3],
          [0.9, -3],
          [0.9, 2],
          [3.6, 2],
          [1.9, 5.4],
          [2.8, 5.2],
          [1.3, 8.4],
          [2, 8.2],
          [0, 12.4],
        ].map(([r, z]): ProfilePoint => [r! * size, z! * size]),
        24,
      ),
      x,
      y,
      relief(x, y),
    )
  const trees: readonly (readonly [number, number, number])[] = [
    [-8, 26, 1],
    [-13, 22, 0.8],
    [-4, 31, 0.75],
    [-30, -2, 0.9],
    [28, -4, 1.05],
    [33, 2, 0.8],
    [24, 1, 0.7],
    [-18, -31, 0.95],
    [-12, -34, 0.75],
    [10, -33, 0.85],
    [-2, 18, 0.7],
  ]
  return combine(land, ...trees.map((at) => tree(...at)))
}

export function octopus(): Mesh {
  const links = 11
  const arm = (i: number): Mesh[] => {
    const start = (TURN * (i + 0.5)) / 8
    const curl = i % 2 === 0 ? 1 : -1
    let [x, y] = polar(19, start)
    let heading = start
    return times(links, (k) => {
      const size = 8.6 * (1 - k / (links + 3.2))
      const bead = scale(sphere(1, 24), size * 0.98, size * 0.86, size * 0.74)
      const placed = move(rotate(bead, 'z', (heading * 180) / Math.PI), x, y, size * 0.7)
      heading += curl * (0.06 + 0.055 * k)
      const [dx, dy] = polar(size * 1.18, heading)
      x += dx
      y += dy
      return placed
    })
  }
  const head = turn(
    spread(41).map((s): ProfilePoint => {
      const bulge =
        s < 0.34
          ? 19 + 2.5 * Math.sin((Math.PI * s) / 0.34)
          : 21.4 * Math.cos(((s - 0.34) / 0.66) * (Math.PI / 2)) ** 0.62 +
            1.5 * Math.sin(Math.PI * ((s - 0.34) / 0.66))
      return [s === 0 || s === 1 ? 0 : bulge, s * 52]
    }),
    72,
  )
  const eyes = [-1, 1].flatMap((side) => {
    const [x, y] = polar(19.2, -Math.PI / 2 + side * 0.42)
    const [px, py] = polar(23.6, -Math.PI / 2 + side * 0.4)
    return [move(sphere(5, 28), x, y, 27), move(sphere(2.1, 20), px, py, 28)]
  })
  return seat(combine(head, ...eyes, ...times(8, arm).flat()))
}

export function trefoilKnot(): Mesh {
  const path = times(240, (i): Point => {
    const t = (TURN * i) / 240
    const r = 22 + 10.5 * Math.cos(3 * t)
    return [r * Math.cos(2 * t), 11 * Math.sin(3 * t), r * Math.sin(2 * t) + 47]
  })
  const section = around(36, (a) => 6.2 + 0.9 * Math.cos(4 * a))
  const knot = sweep(path, section, { isClosed: true, up: [0.02, 1, 0.01] })
  const base = plate(roundedBox(62, 34, 10), [], 9, 2)
  return combine(knot, base)
}

export function nautilus(): Mesh {
  const turns = 2.6
  const path = spread(260).map((s): Point => {
    const angle = TURN * turns * s
    const r = 3.2 * Math.exp(0.171 * angle)
    return [r * Math.cos(angle), r * Math.sin(angle), 0]
  })
  const section = around(44, (a) => 1 + 0.06 * Math.cos(2 * a))
  const sizeAt = (s: number) =>
    2.05 * Math.exp(0.171 * TURN * turns * s) * (1 + 0.02 * Math.cos(TURN * 30 * s))
  // The shell's opening is an open edge, as in a raw scan.
  return seat(rotate(sweep(path, section, { sizeAt, ends: 'open' }), 'x', 72))
}
