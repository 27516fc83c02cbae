import { examineTopology } from './topology.ts'
import { weldVertices } from './weld.ts'

export type Vec3 = [x: number, y: number, z: number]

export type MeshMeasures = {
  triangles: number
  /** In file units, which for an STL are taken as millimetres. All zero for an empty mesh. */
  boundingBox: { min: Vec3; max: Vec3; size: Vec3 }
  /** Never negative; only a fact where `isVolumeTrusted`. */
  volumeMm3: number
  isVolumeTrusted: boolean
  surfaceAreaMm2: number
  /** Every edge belongs to exactly two triangles. */
  isWatertight: boolean
  /** All normals point inwards: the signed volume is negative. */
  isInsideOut: boolean
  shells: number
  openEdges: number
  nonManifoldEdges: number
  windingErrors: number
  degenerateTriangles: number
  duplicateTriangles: number
}

/** A volume is trusted while moving the reference point within the box changes it by less than this share. */
const VOLUME_TOLERANCE = 1e-4

/**
 * Measures a mesh in double precision. `positions`: nine finite floats per triangle, in millimetres.
 * Vertices are welded where their coordinates are exactly equal.
 */
export function measureMesh(positions: Float32Array): MeshMeasures {
  const triangles = Math.floor(positions.length / 9)
  const boundingBox = measureBox(positions, triangles)
  const { signedVolume, area, vectorArea } = integrateSurface(positions, triangles, boundingBox)
  const topology = examineTopology(weldVertices(positions))
  return {
    triangles,
    boundingBox,
    volumeMm3: Math.abs(signedVolume),
    isVolumeTrusted:
      topology.windingErrors === 0 && isIndependent(signedVolume, vectorArea, boundingBox.size),
    surfaceAreaMm2: area,
    isWatertight: triangles > 0 && topology.openEdges === 0 && topology.nonManifoldEdges === 0,
    isInsideOut: signedVolume < 0,
    ...topology,
  }
}

function measureBox(positions: Float32Array, triangles: number): MeshMeasures['boundingBox'] {
  if (triangles === 0) return { min: [0, 0, 0], max: [0, 0, 0], size: [0, 0, 0] }
  let [minX, minY, minZ] = [Infinity, Infinity, Infinity]
  let [maxX, maxY, maxZ] = [-Infinity, -Infinity, -Infinity]
  for (let i = 0; i < triangles * 9; i += 3) {
    const x = positions[i]!
    const y = positions[i + 1]!
    const z = positions[i + 2]!
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
    if (z < minZ) minZ = z
    if (z > maxZ) maxZ = z
  }
  return {
    min: [minX, minY, minZ],
    max: [maxX, maxY, maxZ],
    size: [maxX - minX, maxY - minY, maxZ - minZ],
  }
}

/**
 * One pass over the triangles: volume by the divergence theorem (signed tetrahedra towards a reference point;
 * Zhang and Chen, "Efficient feature extraction for 2D/3D objects in mesh representation", 2001), area, and the
 * sum of the area vectors. The middle of the box as the reference keeps the cancelling terms small.
 */
function integrateSurface(positions: Float32Array, triangles: number, box: MeshMeasures['boundingBox']) {
  const cx = (box.min[0] + box.max[0]) / 2
  const cy = (box.min[1] + box.max[1]) / 2
  const cz = (box.min[2] + box.max[2]) / 2
  let sixVolumes = 0
  let doubleArea = 0
  let [sumX, sumY, sumZ] = [0, 0, 0]
  for (let i = 0; i < triangles * 9; i += 9) {
    const ax = positions[i]! - cx
    const ay = positions[i + 1]! - cy
    const az = positions[i + 2]! - cz
    const ux = positions[i + 3]! - cx - ax
    const uy = positions[i + 4]! - cy - ay
    const uz = positions[i + 5]! - cz - az
    const vx = positions[i + 6]! - cx - ax
    const vy = positions[i + 7]! - cy - ay
    const vz = positions[i + 8]! - cz - az
    const nx = uy * vz - uz * vy
    const ny = uz * vx - ux * vz
    const nz = ux * vy - uy * vx
    // a · (u × v) equals a · (b × c): the edges are short, so less is lost than with the corners themselves.
    sixVolumes += ax * nx + ay * ny + az * nz
    doubleArea += Math.sqrt(nx * nx + ny * ny + nz * nz)
    sumX += nx
    sumY += ny
    sumZ += nz
  }
  const vectorArea: Vec3 = [sumX / 2, sumY / 2, sumZ / 2]
  return { signedVolume: sixVolumes / 6, area: doubleArea / 2, vectorArea }
}

/**
 * Whether the volume means something. The area vectors of a closed surface sum to zero; where they do not, the
 * volume depends on the reference point: moving it by d changes the volume by d · vectorArea / 3. We ask for the
 * change across the box. T-junctions leave edges open but close the surface all the same, and pass.
 */
function isIndependent(volume: number, vectorArea: Vec3, size: Vec3): boolean {
  const spread = vectorArea.reduce((sum, area, axis) => sum + Math.abs(area) * size[axis]!, 0) / 3
  return spread <= VOLUME_TOLERANCE * Math.abs(volume) + 1e-12 * size[0] * size[1] * size[2]
}
