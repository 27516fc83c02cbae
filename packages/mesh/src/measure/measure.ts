import type { Topology } from '../topology/topology.ts'

export type Vec3 = [x: number, y: number, z: number]

export type MeshMeasures = {
  triangles: number
  /** The box in file units, which are taken as millimeters for an STL. All numbers are zero for an empty mesh. */
  boundingBox: { min: Vec3; max: Vec3; size: Vec3 }
  /** The volume. It is never negative, and is only reliable if `isVolumeTrusted`. */
  volumeMm3: number
  isVolumeTrusted: boolean
  surfaceAreaMm2: number
  /** Whether every edge belongs to exactly two triangles. */
  isWatertight: boolean
  /** Whether all normals point inwards, so that the signed volume is negative. */
  isInsideOut: boolean
  shells: number
  openEdges: number
  nonManifoldEdges: number
  windingErrors: number
  degenerateTriangles: number
  duplicateTriangles: number
}

/** Measures that need only one pass over the triangles and no knowledge of which triangles are neighbors. */
export type SurfaceMeasures = Pick<
  MeshMeasures,
  'triangles' | 'boundingBox' | 'volumeMm3' | 'isInsideOut' | 'surfaceAreaMm2'
> & {
  /**
   * Whether the volume does not depend on the reference point of the calculation, as for a closed surface. See
   * `isIndependent`.
   */
  isVolumeIndependent: boolean
}

/** Measures triangles while they are read, in constant memory. */
type SurfaceMeter = {
  /** Adds `count` triangles of nine finite floats each. */
  add(block: Float32Array, count: number): void
  finish(): SurfaceMeasures
}

/**
 * A volume is trusted if it changes by less than this share when the reference point moves within the box.
 */
const VOLUME_TOLERANCE = 1e-4

/** Combines the streamed measures of a mesh with its topology. */
export function withTopology(surface: SurfaceMeasures, topology: Topology): MeshMeasures {
  const { isVolumeIndependent, ...measures } = surface
  return {
    ...measures,
    isVolumeTrusted: topology.windingErrors === 0 && isVolumeIndependent,
    isWatertight: surface.triangles > 0 && topology.openEdges === 0 && topology.nonManifoldEdges === 0,
    ...topology,
  }
}

/**
 * Measures in one pass over the triangles: the box, the volume by the divergence theorem (signed tetrahedra
 * toward a reference point; Zhang and Chen, "Efficient feature extraction for 2D/3D objects in mesh
 * representation", 2001), the area, and the sum of the area vectors. The first corner is the reference point,
 * which keeps the cancelling terms small.
 */
export function createSurfaceMeter(): SurfaceMeter {
  const passed: Passed = {
    origin: new Float64Array(3),
    min: new Float64Array(3).fill(Infinity),
    max: new Float64Array(3).fill(-Infinity),
    vectorArea: new Float64Array(3),
    sums: new Float64Array(2),
  }
  let triangles = 0

  function add(block: Float32Array, count: number) {
    if (triangles === 0 && count > 0) passed.origin.set(block.subarray(0, 3))
    triangles += count
    passTriangles(passed, block, count)
  }

  function findBox(): MeshMeasures['boundingBox'] {
    if (triangles === 0) return { min: [0, 0, 0], max: [0, 0, 0], size: [0, 0, 0] }
    const [minX = 0, minY = 0, minZ = 0] = passed.min
    const [maxX = 0, maxY = 0, maxZ = 0] = passed.max
    return {
      min: [minX, minY, minZ],
      max: [maxX, maxY, maxZ],
      size: [maxX - minX, maxY - minY, maxZ - minZ],
    }
  }

  return {
    add,
    finish() {
      const [sixVolumes = 0, doubleArea = 0] = passed.sums
      const volume = sixVolumes / 6
      const boundingBox = findBox()
      return {
        triangles,
        boundingBox,
        volumeMm3: Math.abs(volume),
        isVolumeIndependent: isIndependent(volume, passed.vectorArea, boundingBox.size),
        surfaceAreaMm2: doubleArea / 2,
        isInsideOut: volume < 0,
      }
    },
  }
}

/**
 * Sums over the triangles so far. They are in typed arrays, because V8 then handles them as plain doubles, which is
 * faster.
 */
type Passed = {
  /** The reference point from which the volume is calculated. */
  origin: Float64Array
  min: Float64Array
  max: Float64Array
  /** Twice the sum of the area vectors. The area vector of a triangle is its normal with its area as the length. */
  vectorArea: Float64Array
  /** Six times the signed volume, and twice the area. */
  sums: Float64Array
}

/**
 * Adds triangles to the sums and to the box, in one loop, because two loops would take 50 % longer. The function is at
 * module level, so that V8 optimizes it once instead of once for each meter.
 */
function passTriangles(passed: Passed, block: Float32Array, count: number) {
  const { origin, min, max, vectorArea, sums } = passed
  const [ox, oy, oz] = [origin[0]!, origin[1]!, origin[2]!]
  let [minX, minY, minZ] = [min[0]!, min[1]!, min[2]!]
  let [maxX, maxY, maxZ] = [max[0]!, max[1]!, max[2]!]
  let [sumX, sumY, sumZ, volumes, areas] = [0, 0, 0, 0, 0]
  for (let i = 0; i < count * 9; i += 9) {
    const ax = block[i]!
    const ay = block[i + 1]!
    const az = block[i + 2]!
    const bx = block[i + 3]!
    const by = block[i + 4]!
    const bz = block[i + 5]!
    const cx = block[i + 6]!
    const cy = block[i + 7]!
    const cz = block[i + 8]!
    if (ax < minX) minX = ax
    if (bx < minX) minX = bx
    if (cx < minX) minX = cx
    if (ay < minY) minY = ay
    if (by < minY) minY = by
    if (cy < minY) minY = cy
    if (az < minZ) minZ = az
    if (bz < minZ) minZ = bz
    if (cz < minZ) minZ = cz
    if (ax > maxX) maxX = ax
    if (bx > maxX) maxX = bx
    if (cx > maxX) maxX = cx
    if (ay > maxY) maxY = ay
    if (by > maxY) maxY = by
    if (cy > maxY) maxY = cy
    if (az > maxZ) maxZ = az
    if (bz > maxZ) maxZ = bz
    if (cz > maxZ) maxZ = cz
    const ux = bx - ax
    const uy = by - ay
    const uz = bz - az
    const vx = cx - ax
    const vy = cy - ay
    const vz = cz - az
    const nx = uy * vz - uz * vy
    const ny = uz * vx - ux * vz
    const nz = ux * vy - uy * vx
    // a · (u × v) equals a · (b × c), but loses less precision, because the edges u and v are shorter than the vectors
    // b and c.
    volumes += (ax - ox) * nx + (ay - oy) * ny + (az - oz) * nz
    areas += Math.sqrt(nx * nx + ny * ny + nz * nz)
    sumX += nx
    sumY += ny
    sumZ += nz
  }
  min.set([minX, minY, minZ])
  max.set([maxX, maxY, maxZ])
  vectorArea[0]! += sumX
  vectorArea[1]! += sumY
  vectorArea[2]! += sumZ
  sums[0]! += volumes
  sums[1]! += areas
}

/**
 * Returns whether the calculated volume is meaningful. For a closed surface, the area vectors sum to zero. Otherwise,
 * the volume depends on the reference point: moving it by d changes the volume by d · vectorArea / 3. The function
 * compares this change, for a move across the box, with the volume. A closed surface with T-junctions also passes,
 * although it has open edges.
 */
function isIndependent(volume: number, doubleVectorArea: Float64Array, size: Vec3): boolean {
  const spread = size.reduce((sum, length, axis) => sum + Math.abs(doubleVectorArea[axis]!) * length, 0) / 6
  return spread <= VOLUME_TOLERANCE * Math.abs(volume) + 1e-12 * size[0] * size[1] * size[2]
}
