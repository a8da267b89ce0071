"""Where the IANA zones lie: by the name of a city, and by coordinates; nothing is asked of a network.

Two sources: the table of zones that comes with `tzdata` (a place for each zone of each country), and larger
cities written down here, since the place of a zone may be far from most of those who live by its clocks.
A place near a border may be told the zone of its neighbour: what comes from here is proposed, never taken.
"""

from __future__ import annotations

import importlib.resources
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

_EARTH_KM = 6371.0
_CITIES = {
    "Asia/Kolkata": "Surat 21.2 72.8; Mumbai 19.1 72.9; Bombay 19.1 72.9; Delhi 28.6 77.2; "
    "New Delhi 28.6 77.2; Bengaluru 13.0 77.6; Bangalore 13.0 77.6; Chennai 13.1 80.3; Madras 13.1 80.3; "
    "Hyderabad 17.4 78.5; Ahmedabad 23.0 72.6; Pune 18.5 73.9; Jaipur 26.9 75.8; Jodhpur 26.3 73.0; "
    "Lucknow 26.8 80.9; Kanpur 26.5 80.3; Nagpur 21.1 79.1; Indore 22.7 75.9; Bhopal 23.3 77.4; "
    "Patna 25.6 85.1; Vadodara 22.3 73.2; Rajkot 22.3 70.8; Bhuj 23.3 69.7; Varanasi 25.3 83.0; "
    "Agra 27.2 78.0; Amritsar 31.6 74.9; Chandigarh 30.7 76.8; Srinagar 34.1 74.8; Kochi 10.0 76.3; "
    "Thiruvananthapuram 8.5 76.9; Coimbatore 11.0 77.0; Madurai 9.9 78.1; Visakhapatnam 17.7 83.3; "
    "Vijayawada 16.5 80.6; Bhubaneswar 20.3 85.8; Guwahati 26.1 91.7; Ranchi 23.3 85.3; Raipur 21.3 81.6; "
    "Dehradun 30.3 78.0; Siliguri 26.7 88.4; Agartala 23.8 91.3; Imphal 24.8 93.9; Goa 15.5 73.8; "
    "Mysuru 12.3 76.6; Gurugram 28.5 77.0; Noida 28.5 77.4; Calcutta 22.5 88.4",
    "Asia/Karachi": "Lahore 31.5 74.3; Islamabad 33.7 73.1; Faisalabad 31.4 73.1; Peshawar 34.0 71.5",
    "Asia/Dhaka": "Chittagong 22.4 91.8; Sylhet 24.9 91.9; Khulna 22.8 89.6; Rajshahi 24.4 88.6",
    "Asia/Kathmandu": "Pokhara 28.2 84.0; Biratnagar 26.5 87.3; Nepalgunj 28.1 81.6",
    "Asia/Bangkok": "Chiang Mai 18.8 99.0; Phuket 7.9 98.4; Khon Kaen 16.4 102.8; Hat Yai 7.0 100.5",
    "Asia/Ho_Chi_Minh": "Hanoi 21.0 105.8; Saigon 10.8 106.7; Da Nang 16.1 108.2",
    "Asia/Jakarta": "Bandung -6.9 107.6; Surabaya -7.3 112.7; Semarang -7.0 110.4; Medan 3.6 98.7; "
    "Palembang -3.0 104.8",
    "Asia/Makassar": "Denpasar -8.7 115.2; Balikpapan -1.3 116.8",
    "Asia/Kuala_Lumpur": "Johor Bahru 1.5 103.8; Penang 5.4 100.3",
    "Asia/Manila": "Cebu 10.3 123.9; Davao 7.1 125.6",
    "Asia/Shanghai": "Beijing 39.9 116.4; Peking 39.9 116.4; Shenzhen 22.5 114.1; Guangzhou 23.1 113.3; "
    "Chengdu 30.7 104.1; Chongqing 29.6 106.6; Wuhan 30.6 114.3; Xian 34.3 108.9; Hangzhou 30.3 120.2; "
    "Nanjing 32.1 118.8; Tianjin 39.1 117.2; Shenyang 41.8 123.4; Harbin 45.8 126.6; Kunming 25.0 102.7; "
    "Jinan 36.7 117.0; Qingdao 36.1 120.4; Xiamen 24.5 118.1; Lanzhou 36.1 103.8; Nanning 22.8 108.4",
    "Asia/Tokyo": "Osaka 34.7 135.5; Kyoto 35.0 135.8; Nagoya 35.2 136.9; Sapporo 43.1 141.4; "
    "Fukuoka 33.6 130.4; Hiroshima 34.4 132.5; Sendai 38.3 140.9; Naha 26.2 127.7",
    "Asia/Seoul": "Busan 35.2 129.1; Incheon 37.5 126.7; Daegu 35.9 128.6; Jeju 33.5 126.5",
    "Asia/Taipei": "Kaohsiung 22.6 120.3; Taichung 24.1 120.7",
    "Asia/Tehran": "Mashhad 36.3 59.6; Isfahan 32.7 51.7; Shiraz 29.6 52.5; Tabriz 38.1 46.3",
    "Asia/Riyadh": "Jeddah 21.5 39.2; Mecca 21.4 39.8; Dammam 26.4 50.1",
    "Asia/Dubai": "Abu Dhabi 24.5 54.4",
    "Asia/Jerusalem": "Tel Aviv 32.1 34.8; Haifa 32.8 35.0",
    "Asia/Baghdad": "Basra 30.5 47.8; Mosul 36.3 43.1",
    "Asia/Tashkent": "Fergana 40.4 71.8",
    "Asia/Almaty": "Astana 51.2 71.4; Shymkent 42.3 69.6",
    "Europe/Istanbul": "Ankara 39.9 32.9; Izmir 38.4 27.1; Antalya 36.9 30.7; Adana 37.0 35.3; "
    "Erzurum 39.9 41.3; Gaziantep 37.1 37.4",
    "Europe/London": "Manchester 53.5 -2.2; Birmingham 52.5 -1.9; Leeds 53.8 -1.5; Glasgow 55.9 -4.3; "
    "Edinburgh 55.9 -3.2; Bristol 51.5 -2.6; Liverpool 53.4 -3.0; Cardiff 51.5 -3.2; Belfast 54.6 -5.9; "
    "Newcastle 55.0 -1.6; Plymouth 50.4 -4.1; Dover 51.1 1.3",
    "Europe/Dublin": "Cork 51.9 -8.5; Galway 53.3 -9.1",
    "Europe/Paris": "Lyon 45.8 4.8; Marseille 43.3 5.4; Toulouse 43.6 1.4; Nice 43.7 7.3; "
    "Bordeaux 44.8 -0.6; Nantes 47.2 -1.6; Lille 50.6 3.1; Strasbourg 48.6 7.8; Rennes 48.1 -1.7; "
    "Montpellier 43.6 3.9; Brest 48.4 -4.5; Grenoble 45.2 5.7; Calais 51.0 1.9",
    "Europe/Berlin": "Hamburg 53.6 10.0; Munich 48.1 11.6; Muenchen 48.1 11.6; Cologne 50.9 7.0; "
    "Koeln 50.9 7.0; Frankfurt 50.1 8.7; Stuttgart 48.8 9.2; Duesseldorf 51.2 6.8; Leipzig 51.3 12.4; "
    "Dresden 51.1 13.7; Hanover 52.4 9.7; Hannover 52.4 9.7; Bremen 53.1 8.8; Nuremberg 49.5 11.1; "
    "Nuernberg 49.5 11.1; Freiburg 48.0 7.8; Kiel 54.3 10.1; Rostock 54.1 12.1; Aachen 50.8 6.1; "
    "Munchen 48.1 11.6; Koln 50.9 7.0; Dusseldorf 51.2 6.8; Nurnberg 49.5 11.1",
    "Europe/Vienna": "Graz 47.1 15.4; Linz 48.3 14.3; Salzburg 47.8 13.0; Innsbruck 47.3 11.4; "
    "Wien 48.2 16.3",
    "Europe/Zurich": "Geneva 46.2 6.1; Basel 47.6 7.6; Bern 46.9 7.4; Lausanne 46.5 6.6; "
    "Geneve 46.2 6.1; Genf 46.2 6.1",
    "Europe/Madrid": "Barcelona 41.4 2.2; Valencia 39.5 -0.4; Seville 37.4 -6.0; Sevilla 37.4 -6.0; "
    "Bilbao 43.3 -2.9; Malaga 36.7 -4.4; Zaragoza 41.7 -0.9; Palma 39.6 2.7; Vigo 42.2 -8.7; "
    "A Coruna 43.4 -8.4; Badajoz 38.9 -7.0; Salamanca 41.0 -5.7; Huelva 37.3 -6.9",
    "Europe/Lisbon": "Porto 41.1 -8.6; Braga 41.5 -8.4; Coimbra 40.2 -8.4; Faro 37.0 -7.9; Evora 38.6 -7.9; "
    "Lisboa 38.7 -9.1; Braganca 41.8 -6.8",
    "Europe/Rome": "Milan 45.5 9.2; Milano 45.5 9.2; Naples 40.9 14.3; Turin 45.1 7.7; Torino 45.1 7.7; "
    "Palermo 38.1 13.4; Bologna 44.5 11.3; Florence 43.8 11.3; Venice 45.4 12.3; Bari 41.1 16.9; "
    "Cagliari 39.2 9.1; Roma 41.9 12.5; Genoa 44.4 8.9",
    "Europe/Amsterdam": "Rotterdam 51.9 4.5; The Hague 52.1 4.3; Utrecht 52.1 5.1; Groningen 53.2 6.6; "
    "Eindhoven 51.4 5.5",
    "Europe/Brussels": "Antwerp 51.2 4.4; Ghent 51.1 3.7; Liege 50.6 5.6",
    "Europe/Copenhagen": "Aarhus 56.2 10.2; Odense 55.4 10.4",
    "Europe/Stockholm": "Gothenburg 57.7 12.0; Malmo 55.6 13.0; Umea 63.8 20.3; Lulea 65.6 22.2",
    "Europe/Oslo": "Bergen 60.4 5.3; Trondheim 63.4 10.4; Tromso 69.6 19.0",
    "Europe/Helsinki": "Tampere 61.5 23.8; Turku 60.5 22.3; Oulu 65.0 25.5",
    "Europe/Warsaw": "Krakow 50.1 19.9; Lodz 51.8 19.5; Wroclaw 51.1 17.0; Poznan 52.4 16.9; "
    "Gdansk 54.4 18.6; Szczecin 53.4 14.6; Lublin 51.2 22.6; Bialystok 53.1 23.2; Rzeszow 50.0 22.0",
    "Europe/Prague": "Brno 49.2 16.6; Ostrava 49.8 18.3",
    "Europe/Budapest": "Debrecen 47.5 21.6; Szeged 46.3 20.1; Pecs 46.1 18.2",
    "Europe/Bucharest": "Cluj 46.8 23.6; Timisoara 45.8 21.2; Iasi 47.2 27.6; Oradea 47.1 21.9",
    "Europe/Athens": "Thessaloniki 40.6 22.9; Patras 38.2 21.7; Ioannina 39.7 20.9; Heraklion 35.3 25.1",
    "Europe/Kyiv": "Kiev 50.5 30.5; Kharkiv 50.0 36.2; Odesa 46.5 30.7; Lviv 49.8 24.0; Dnipro 48.5 35.0",
    "Europe/Moscow": "Saint Petersburg 59.9 30.3; Nizhny Novgorod 56.3 44.0; Kazan 55.8 49.1; "
    "Rostov 47.2 39.7; Voronezh 51.7 39.2; Sochi 43.6 39.7; Murmansk 69.0 33.1; Arkhangelsk 64.5 40.5",
    "America/New_York": "Boston 42.4 -71.1; Philadelphia 40.0 -75.2; Washington 38.9 -77.0; "
    "Baltimore 39.3 -76.6; Atlanta 33.7 -84.4; Miami 25.8 -80.2; Orlando 28.5 -81.4; Tampa 28.0 -82.5; "
    "Charlotte 35.2 -80.8; Pittsburgh 40.4 -80.0; Cleveland 41.5 -81.7; Columbus 40.0 -83.0; "
    "Cincinnati 39.1 -84.5; Buffalo 42.9 -78.9; Raleigh 35.8 -78.6; Jacksonville 30.3 -81.7; "
    "Richmond 37.5 -77.4; Knoxville 36.0 -83.9; Savannah 32.1 -81.1; Burlington 44.5 -73.2; "
    "Tallahassee 30.4 -84.3",
    "America/Chicago": "Austin 30.3 -97.7; Houston 29.8 -95.4; Dallas 32.8 -96.8; San Antonio 29.4 -98.5; "
    "Minneapolis 45.0 -93.3; Milwaukee 43.0 -87.9; Saint Louis 38.6 -90.2; Kansas City 39.1 -94.6; "
    "Nashville 36.2 -86.8; Memphis 35.1 -90.0; New Orleans 30.0 -90.1; Oklahoma City 35.5 -97.5; "
    "Omaha 41.3 -95.9; Birmingham 33.5 -86.8; Des Moines 41.6 -93.6; Tulsa 36.2 -96.0; Wichita 37.7 -97.3; "
    "Little Rock 34.7 -92.3; Mobile 30.7 -88.0; Pensacola 30.4 -87.2; Lubbock 33.6 -101.9; "
    "Corpus Christi 27.8 -97.4; Laredo 27.5 -99.5; Brownsville 25.9 -97.5; Fargo 46.9 -96.8; "
    "Sioux Falls 43.5 -96.7; Amarillo 35.2 -101.8; Midland 32.0 -102.1; Green Bay 44.5 -88.0",
    "America/Denver": "Salt Lake City 40.8 -111.9; Albuquerque 35.1 -106.7; Colorado Springs 38.8 -104.8; "
    "El Paso 31.8 -106.5; Billings 45.8 -108.5; Cheyenne 41.1 -104.8; Rapid City 44.1 -103.2; "
    "Missoula 46.9 -114.0",
    "America/Phoenix": "Tucson 32.2 -110.9; Flagstaff 35.2 -111.7; Yuma 32.7 -114.6",
    "America/Los_Angeles": "San Francisco 37.8 -122.4; San Diego 32.7 -117.2; Seattle 47.6 -122.3; "
    "Portland 45.5 -122.7; Las Vegas 36.2 -115.1; Sacramento 38.6 -121.5; San Jose 37.3 -121.9; "
    "Fresno 36.7 -119.8; Spokane 47.7 -117.4; Reno 39.5 -119.8; Oakland 37.8 -122.3; Eugene 44.1 -123.1; "
    "Bakersfield 35.4 -119.0",
    "America/Toronto": "Montreal 45.5 -73.6; Ottawa 45.4 -75.7; Quebec 46.8 -71.2; Hamilton 43.3 -79.9; "
    "London Ontario 43.0 -81.2; Windsor 42.3 -83.0",
    "America/Edmonton": "Calgary 51.0 -114.1",
    "America/Vancouver": "Victoria 48.4 -123.4; Kelowna 49.9 -119.5",
    "America/Mexico_City": "Guadalajara 20.7 -103.3; Puebla 19.0 -98.2; Leon 21.1 -101.7; Toluca 19.3 -99.7; "
    "Veracruz 19.2 -96.1; Queretaro 20.6 -100.4; San Luis Potosi 22.2 -101.0; Oaxaca 17.1 -96.7; "
    "Ciudad de Mexico 19.4 -99.1",
    "America/Bogota": "Medellin 6.2 -75.6; Cali 3.4 -76.5; Barranquilla 11.0 -74.8; Cartagena 10.4 -75.5; "
    "Bucaramanga 7.1 -73.1; Cucuta 7.9 -72.5; Pasto 1.2 -77.3",
    "America/Lima": "Arequipa -16.4 -71.5; Cusco -13.5 -72.0; Trujillo -8.1 -79.0; Iquitos -3.7 -73.3; "
    "Tacna -18.0 -70.2",
    "America/Guayaquil": "Quito -0.2 -78.5; Cuenca -2.9 -79.0",
    "America/Santiago": "Valparaiso -33.0 -71.6; Concepcion -36.8 -73.0; Antofagasta -23.7 -70.4; "
    "Arica -18.5 -70.3; Temuco -38.7 -72.6",
    "America/Argentina/Buenos_Aires": "Rosario -32.9 -60.7; La Plata -34.9 -58.0; Mar del Plata -38.0 -57.5; "
    "Bahia Blanca -38.7 -62.3",
    "America/La_Paz": "Santa Cruz de la Sierra -17.8 -63.2; Cochabamba -17.4 -66.2",
    "America/Caracas": "Maracaibo 10.7 -71.6; Valencia Venezuela 10.2 -68.0",
    "America/Sao_Paulo": "Rio de Janeiro -22.9 -43.2; Belo Horizonte -19.9 -44.0; Brasilia -15.8 -47.9; "
    "Curitiba -25.4 -49.3; Porto Alegre -30.0 -51.2; Florianopolis -27.6 -48.5; Goiania -16.7 -49.3; "
    "Vitoria -20.3 -40.3; Campinas -22.9 -47.1; Santos -24.0 -46.3; Uberlandia -18.9 -48.3; "
    "Foz do Iguacu -25.5 -54.6; Londrina -23.3 -51.2; Pelotas -31.8 -52.3; Uruguaiana -29.8 -57.1",
    "America/Bahia": "Salvador -13.0 -38.5",
    "America/Fortaleza": "Natal -5.8 -35.2; Teresina -5.1 -42.8; Sao Luis -2.5 -44.3; Joao Pessoa -7.1 -34.9",
    "Africa/Cairo": "Alexandria 31.2 29.9; Aswan 24.1 32.9",
    "Africa/Lagos": "Abuja 9.1 7.5; Kano 12.0 8.5; Ibadan 7.4 3.9; Port Harcourt 4.8 7.0",
    "Africa/Johannesburg": "Cape Town -33.9 18.4; Durban -29.9 31.0; Pretoria -25.7 28.2; "
    "Port Elizabeth -34.0 25.6; Bloemfontein -29.1 26.2",
    "Africa/Nairobi": "Mombasa -4.0 39.7; Kisumu -0.1 34.8",
    "Africa/Casablanca": "Rabat 34.0 -6.8; Marrakesh 31.6 -8.0; Fez 34.0 -5.0; Tangier 35.8 -5.8",
    "Africa/Accra": "Kumasi 6.7 -1.6",
    "Africa/Dar_es_Salaam": "Dodoma -6.2 35.7; Arusha -3.4 36.7; Mwanza -2.5 32.9",
    "Australia/Sydney": "Canberra -35.3 149.1; Newcastle Australia -32.9 151.8; Wollongong -34.4 150.9",
    "Australia/Melbourne": "Geelong -38.1 144.4",
    "Australia/Brisbane": "Gold Coast -28.0 153.4; Cairns -16.9 145.8; Townsville -19.3 146.8",
    "Pacific/Auckland": "Wellington -41.3 174.8; Christchurch -43.5 172.6; Dunedin -45.9 170.5",
}
"""Larger cities by zone: name, latitude and longitude to a tenth of a degree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ZonePlace:
    """A place and the zone by whose clocks people live there."""

    name: str
    latitude: float
    longitude: float
    zone: str

    def km_from(self, latitude: float, longitude: float) -> float:
        """Along the surface of a sphere."""
        return float(_km_from(np.array([[self.latitude], [self.longitude]]), latitude, longitude)[0])


@cache
def zone_places() -> tuple[ZonePlace, ...]:
    """Every place that is known, those of `tzdata` first; without that package the cities alone."""
    cities = (
        ZonePlace(name=name.strip(), latitude=float(latitude), longitude=float(longitude), zone=zone)
        for zone, listed in _CITIES.items()
        for name, latitude, longitude in (city.rsplit(maxsplit=2) for city in listed.split(";"))
    )
    return (*_table_of_zones(), *cities)


def nearest_places(
    latitude: float, longitude: float, *, among: Collection[str] | None = None, most: int = 1
) -> tuple[tuple[ZonePlace, float], ...]:
    """The nearest place of each of the `most` nearest zones, with its distance in km, nearest first.

    among: the zones that count; None: all.
    """
    places, km = zone_places(), _km_from(_coordinates(), latitude, longitude)
    nearest: dict[str, tuple[ZonePlace, float]] = {}
    for row in np.argsort(km, kind="stable").tolist():
        if len(nearest) == most:
            break
        place = places[row]
        if among is None or place.zone in among:
            nearest.setdefault(place.zone, (place, float(km[row])))
    return tuple(nearest.values())


@cache
def _coordinates() -> NDArray[np.float64]:
    """Latitudes and longitudes of all places in degrees, shape (2, n)."""
    return np.array([[place.latitude, place.longitude] for place in zone_places()]).T


def _km_from(places: NDArray[np.float64], latitude: float, longitude: float) -> NDArray[np.float64]:
    """Along the surface of a sphere, shape (n,); places: latitude and longitude, degrees, shape (2, n)."""
    here, there = np.radians(places[0]), np.radians(latitude)
    chord = (
        np.sin((there - here) / 2) ** 2
        + np.cos(here) * np.cos(there) * np.sin(np.radians(longitude - places[1]) / 2) ** 2
    )
    return np.asarray(2 * _EARTH_KM * np.arcsin(np.minimum(1.0, np.sqrt(chord))))


def zones_of_city(text: str) -> tuple[str, ...]:
    """The zones of the places called so, and those whose names end so; accents and signs do not count."""
    return _zones_by_city().get(_plain(text), ())


@cache
def _zones_by_city() -> dict[str, tuple[str, ...]]:
    """Plain name of a place -> the zones of all that are called so; the window asks at every change."""
    found: dict[str, dict[str, None]] = {}
    for place in zone_places():
        if plain := _plain(place.name):
            found.setdefault(plain, {})[place.zone] = None
    return {plain: tuple(zones) for plain, zones in found.items()}


def _table_of_zones() -> tuple[ZonePlace, ...]:
    """The lines country, place as +-DDMM+-DDDMM or with seconds, zone, and a remark, cut by tabs."""
    try:
        text = importlib.resources.files("tzdata").joinpath("zoneinfo", "zone.tab").read_text("utf-8")
    except (ModuleNotFoundError, OSError):
        return ()
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(
        ZonePlace(
            name=row[2].rpartition("/")[2].replace("_", " "),
            latitude=_degrees(found[1], 2),
            longitude=_degrees(found[2], 3),
            zone=row[2],
        )
        for row in rows
        if len(row) > 2 and (found := re.fullmatch(r"([-+]\d+)([-+]\d+)", row[1]))
    )


def _degrees(text: str, digits: int) -> float:
    """+-DDMM or +-DDMMSS, with so many digits of whole degrees."""
    sign, whole, rest = (-1 if text[0] == "-" else 1), text[1 : 1 + digits], text[1 + digits :]
    return sign * (int(whole) + int(rest[:2]) / 60 + int(rest[2:] or 0) / 3600)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", unicodedata.normalize("NFKD", name.casefold()))
