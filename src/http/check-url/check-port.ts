/** Ports above 1023 where something else than a web server usually listens. */
const SERVICE_PORTS: ReadonlySet<number> = new Set([
  // Databases, caches, queues and their coordinators
  1433, 1521, 1883, 2181, 2379, 2380, 3306, 5432, 5671, 5672, 6379, 7000, 7001, 7199, 7687, 8883,
  9042, 9092, 9160, 9200, 9300, 11_211, 27_017, 27_018, 27_019, 61_616,
  // Remote control of machines, containers and clusters
  2375, 2376, 3389, 4369, 5900, 5901, 5902, 5903, 5985, 5986, 6443, 8500, 10_250, 10_255, 10_256,
  // Mail, calls, chat, file sharing and displays: what browsers refuse
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669,
  6679, 6697, 10_080,
]);

/** Whether a URL's port (empty: the scheme's own) is one where web servers are found. */
export function isWebPort(port: string): boolean {
  if (port === "" || port === "80" || port === "443") return true;
  const number = Number(port);
  return number >= 1024 && !SERVICE_PORTS.has(number);
}
