import { circle, gear, inset, ngon, rounded, sector, shifted, turned } from './kit/outline.ts'
import { combine, type Loop, type Mesh, move, polar, rotate, spread, times, TURN } from './kit/mesh.ts'
import { plate, stack } from './kit/stack.ts'
import { type ProfilePoint, skin, sphere, turn } from './kit/surface.ts'

/** Returns a herringbone gear. Its V-shaped teeth keep it centered. */
function herringbone(teeth: Loop, others: readonly Loop[], height: number, twist: number): Mesh {
  const steps = 8
  const layers = times(2 * steps, (i) => {
    const at = (k: number) => [turned(teeth, twist * (1 - Math.abs(k / steps - 1))), ...others]
    return { height: height / (2 * steps), loops: at(i), top: at(i + 1) }
  })
  return stack(layers)
}

export function planetaryGears(): Mesh {
  const [module, height, sun, planet, ring] = [1.6, 14, 12, 12, 36]
  const twist = TURN / 40
  const reach = (module * (sun + planet)) / 2
  const planets = times(3, (i) => {
    const angle = (TURN * i) / 3
    const [x, y] = polar(reach, angle)
    const wheel = herringbone(gear(planet, module * 0.985), [circle(3.2)], height, -twist)
    return move(rotate(wheel, 'z', 15), x, y)
  })
  const teeth = gear(ring, module, true)
  const rim = herringbone(
    teeth,
    [circle((module * ring) / 2 + 7.5, [0, 0], 120)],
    height,
    (twist * sun) / ring,
  )
  const middle = herringbone(gear(sun, module * 0.985), [ngon(6, 8)], height, twist)
  return combine(rim, middle, ...planets)
}

export function helicalGear(): Mesh {
  const [teeth, module, height] = [32, 2, 12]
  const outline = gear(teeth, module)
  const windows = times(6, (i) => sector(12.5, 24, (TURN * (i + 0.14)) / 6, (TURN * (i + 0.86)) / 6, 2.2))
  const bore = circle(4)
  const steps = 10
  const at = (share: number) => [turned(outline, 0.2 * share), ...windows, bore]
  const wheel = times(steps, (i) => ({
    height: height / steps,
    loops: at(i / steps),
    top: at((i + 1) / steps),
  }))
  const hub = [circle(9), bore]
  const narrow = [circle(8.2), circle(4.8)]
  return stack([...wheel, { height: 6, loops: hub }, { height: 0.8, loops: hub, top: narrow }])
}

export function ballBearing(): Mesh {
  const groove = (radius: number, depth: number): ProfilePoint[] =>
    spread(13, -1, 1).map((s) => [radius + depth * Math.sqrt(Math.max(0, 1 - s * s)), 4.5 + 3.1 * s])
  const inner = turn(ringProfile(5, 9.6, 9, groove(9.6, -1.9)), 96)
  const outer = turn(outerProfile(15, 20, 9, groove(15, 1.9)), 120)
  const balls = times(9, (i) => {
    const [x, y] = polar(12.3, (TURN * i) / 9)
    return move(sphere(3.05, 28), x, y, 4.5)
  })
  return combine(inner, outer, ...balls)
}

const ringProfile = (
  bore: number,
  outside: number,
  height: number,
  groove: readonly ProfilePoint[],
): ProfilePoint[] => [
  [bore, 0.6],
  [bore + 0.6, 0],
  [outside - 0.6, 0],
  [outside, 0.6],
  ...groove,
  [outside, height - 0.6],
  [outside - 0.6, height],
  [bore + 0.6, height],
  [bore, height - 0.6],
  [bore, 0.6],
]

const outerProfile = (
  inside: number,
  outside: number,
  height: number,
  groove: readonly ProfilePoint[],
): ProfilePoint[] => [
  [inside, 0.6],
  [inside + 0.6, 0],
  [outside - 0.8, 0],
  [outside, 0.8],
  [outside, height - 0.8],
  [outside - 0.8, height],
  [inside + 0.6, height],
  [inside, height - 0.6],
  ...groove.toReversed(),
  [inside, 0.6],
]

export function beltPulley(): Mesh {
  const teeth = times(24, (i) => {
    const pitch = TURN / 24
    return [
      polar(11.4, pitch * (i + 0.08)),
      polar(10.1, pitch * (i + 0.2)),
      polar(9.95, pitch * (i + 0.34)),
      polar(10.1, pitch * (i + 0.48)),
      polar(11.4, pitch * (i + 0.6)),
    ]
  }).flat()
  const bore = circle(2.6)
  const screws = times(2, (i) => circle(0.9, polar(5.4, (TURN * i) / 2), 24))
  const flange = circle(14, [0, 0], 96)
  const holes = [bore, ...screws]
  return stack([
    { height: 0.7, loops: [circle(13.2, [0, 0], 96), ...holes], top: [flange, ...holes] },
    { height: 1.2, loops: [flange, ...holes] },
    { height: 8, loops: [teeth, ...holes] },
    { height: 1.2, loops: [flange, ...holes] },
    { height: 0.7, loops: [flange, ...holes], top: [circle(13.2, [0, 0], 96), ...holes] },
    { height: 7, loops: [circle(8), ...holes] },
    { height: 0.8, loops: [circle(8), ...holes], top: [circle(7.2), ...holes] },
  ])
}

/** Returns the height of a thread above its shaft (0 to 1) at an angle and a height. */
const thread = (angle: number, z: number, pitch: number): number => {
  const phase = (((z / pitch - angle / TURN) % 1) + 1) % 1
  return Math.min(1, Math.max(0, 3.2 * (0.5 - Math.abs(phase - 0.5)) - 0.3))
}

/**
 * Returns a thread on a shaft or inside a nut. The ends of the thread fade out, so that a nut can be screwed
 * on.
 */
export function threaded(
  profile: readonly ProfilePoint[],
  options: { from: number; to: number; pitch: number; depth: number; isThreaded: (at: number) => boolean },
  segments = 96,
): Mesh {
  const { from, to, pitch, depth } = options
  return turn(profile, segments, (radius, angle, z, at) => {
    const fade = Math.min(1, Math.max(0, (z - from) / pitch), Math.max(0, (to - z) / pitch))
    const r = options.isThreaded(at) ? radius + depth * fade * thread(angle, z, pitch) : radius
    return [r * Math.cos(angle), r * Math.sin(angle), z]
  })
}

export function boltAndNut(): Mesh {
  const heights = spread(160, 8, 46)
  const shaft: ProfilePoint[] = [
    [0, 7],
    [6.6, 7],
    ...heights.map((z): ProfilePoint => [6.6, z]),
    [5.4, 47.6],
    [0, 47.6],
  ]
  const rod = threaded(shaft, {
    from: 10,
    to: 46,
    pitch: 3,
    depth: 1.7,
    isThreaded: (at) => at > 1 && at < 162,
  })
  const head = plate(ngon(6, 24), [], 9, 1)
  const inside = spread(52, 0.8, 10.2)
  const bore: ProfilePoint[] = inside.map((z): ProfilePoint => [7, z])
  const sleeve: ProfilePoint[] = [[8.7, 0], [10.3, 0], [10.3, 11], [8.7, 11], ...bore.toReversed(), [8.7, 0]]
  const liner = threaded(sleeve, {
    from: -9,
    to: 20,
    pitch: 3,
    depth: 1.7,
    isThreaded: (at) => at > 3 && at < 56,
  })
  const shell = plate(ngon(6, 24), [circle(9.4)], 11, 0.7)
  return combine(head, rod, move(combine(shell, liner), 34, 0))
}

export function openWrench(): Mesh {
  const jaw = (size: number, isLeft: boolean): Loop => {
    const r = size * 1.02
    const from = 0.36
    const back = spread(26, from, TURN - from).map((angle) => polar(r, angle))
    const mouth: Loop = [
      [r * 0.62, -size / 2],
      [-size * 0.22, -size / 2],
      [-size * 0.5, 0],
      [-size * 0.22, size / 2],
      [r * 0.62, size / 2],
    ]
    const loop = turned([...back, ...mouth], isLeft ? Math.PI - 0.26 : -0.26)
    return loop
  }
  const height = 7
  const heads = [shifted(jaw(17, true), -62, 0), shifted(jaw(13, false), 62, 0)]
  const handle = rounded(
    [
      [-52, -8.5],
      [52, -6.5],
      [52, 6.5],
      [-52, 8.5],
    ],
    2,
  )
  const pocket = rounded(
    [
      [-40, -4.6],
      [40, -3.4],
      [40, 3.4],
      [-40, 4.6],
    ],
    3.3,
  )
  const bar = stack([
    { height: 0.7, loops: [inset(handle, 0.7)], top: [handle] },
    { height: height - 2.9, loops: [handle] },
    { height: 1.5, loops: [handle, pocket] },
    { height: 0.7, loops: [handle, pocket], top: [inset(handle, 0.7), inset(pocket, -0.7)] },
  ])
  return combine(bar, ...heads.map((head) => plate(head, [], height + 1, 0.7)))
}

export function propeller(): Mesh {
  const blade = (turnDeg: number): Mesh => {
    const rows = spread(40, 0.1, 1).map((s) => {
      const radius = 64 * s
      const chord = 17 * Math.sin(Math.PI * Math.min(1, 0.16 + 0.84 * s)) ** 0.7 + 2.4
      const pitch = 0.95 - 0.72 * s
      const thick = 0.2 * chord * (1 - 0.55 * s) + 0.5
      return times(28, (k) => {
        const angle = (TURN * k) / 28
        const along = (chord / 2) * Math.cos(angle) + 3.5 * Math.sin(Math.PI * s)
        const lift = (thick / 2) * Math.sin(angle) + 0.1 * chord * Math.sin(angle) ** 2
        return [
          radius,
          along * Math.cos(pitch) - lift * Math.sin(pitch),
          8 + along * Math.sin(pitch) + lift * Math.cos(pitch),
        ] as const
      })
    })
    return rotate(skin(rows, 'flat'), 'z', turnDeg)
  }
  const hub = turn(
    [
      [3, 0],
      [9, 0],
      [10, 1],
      [10, 13],
      [7.5, 16.5],
      [4, 18],
      [3, 18],
      [3, 0],
    ],
    64,
  )
  return combine(hub, blade(0), blade(120), blade(240))
}
