interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}
interface Lock {
  lockfileVersion: number;
  packages: Record<string, Manifest & { integrity?: string; link?: boolean; version?: string; inBundle?: boolean }>;
}

const dependenciesOf = (manifest: Manifest): Record<string, string> => ({
  ...manifest.dependencies,
  ...manifest.devDependencies,
  ...manifest.optionalDependencies,
});

/** Returns a sentence for each dependency without an exact version, each version that differs in the lock file and each package without a hash. */
export function findDrift(manifest: Manifest, lock: Lock): string[] {
  const wrong: string[] = [];
  const wanted = dependenciesOf(manifest);
  const locked = dependenciesOf(lock.packages[''] ?? {});
  for (const [name, version] of Object.entries(wanted)) {
    if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) wrong.push(`${name} is not pinned: ${version}`);
    if (locked[name] !== version)
      wrong.push(`${name} is ${version} in package.json and ${locked[name] ?? 'absent'} in the lock file`);
    const installed = lock.packages[`node_modules/${name}`]?.version;
    if (installed !== version) wrong.push(`${name} ${version} is locked as ${installed ?? 'nothing'}`);
  }
  for (const name of Object.keys(locked)) if (!(name in wanted)) wrong.push(`${name} is in the lock file alone`);
  for (const [path, { integrity, inBundle }] of Object.entries(lock.packages))
    if (path !== '' && !integrity && !inBundle) wrong.push(`${path} has no hash`);
  return wrong;
}
