import { expect, test } from "bun:test";
import { openMapScene, textOf } from "./places/scene.ts";

const SPOTS = { lisbon: [38.7, -9.1] } as const;
const WEATHER = {
  current: {
    temperature_2m: 21.4,
    apparent_temperature: 20,
    relative_humidity_2m: 60,
    precipitation: 0,
    weather_code: 2,
    wind_speed_10m: 11,
  },
  daily: {
    time: ["2026-05-01", "2026-05-02"],
    weather_code: [0, 81],
    temperature_2m_max: [24, 19],
    temperature_2m_min: [14, 13],
    precipitation_probability_max: [0, 90],
    wind_speed_10m_max: [15, null],
  },
};

test("get_weather tells the weather now and day by day", async () => {
  await using scene = openMapScene({ spots: SPOTS, weather: WEATHER });
  const { tool, run } = scene.weather;
  expect([tool.isRare, tool.origin, tool.effect({})]).toEqual([true, "outside", "network"]);
  expect(textOf(await run({ location: "Lisbon", days: 2 })).split("\n")).toEqual([
    "Lisbon, Earth (Open-Meteo)",
    "Now: partly cloudy, 21.4 °C, feels like 20 °C, humidity 60 %, precipitation 0 mm, wind 11 km/h",
    "2026-05-01: clear sky, from 14 °C, to 24 °C, rain 0 %, wind 15 km/h",
    "2026-05-02: rain showers, from 13 °C, to 19 °C, rain 90 %",
  ]);
  const [asked] = scene.server.at("/forecast");
  expect(asked?.get("latitude")).toBe("38.7");
  expect(asked?.get("longitude")).toBe("-9.1");
});

test.each([
  [undefined, "3"],
  [0, "1"],
  [30, "7"],
])("get_weather asked for %p days asks for %p", async (days, asked) => {
  await using scene = openMapScene({ spots: SPOTS, weather: WEATHER });
  await scene.weather.run({ location: "Lisbon", ...(days !== undefined && { days }) });
  expect(scene.server.at("/forecast")[0]?.get("forecast_days")).toBe(asked);
});

test("get_weather fails when the answer has no weather", async () => {
  await using scene = openMapScene({ spots: SPOTS, weather: { current: [], daily: "x" } });
  expect(textOf(await scene.weather.run({ location: "Lisbon" }))).toStartWith("internal: Cannot");
});

test("get_weather asks again after a quarter of an hour", async () => {
  await using scene = openMapScene({ spots: SPOTS, weather: WEATHER });
  await scene.weather.run({ location: "Lisbon" });
  await scene.weather.run({ location: "Lisbon" });
  scene.time.now += 15 * 60 * 1000;
  scene.nextTurn();
  await scene.weather.run({ location: "Lisbon" });
  expect(scene.server.at("/forecast")).toHaveLength(2);
});
